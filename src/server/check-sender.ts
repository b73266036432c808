import { type KeyObject, verify } from 'node:crypto';
import { KnudgeError } from '../domain/errors.ts';
import type { TrustedSenders } from './config.ts';
import { type Header, readToken, refused, type Token } from './token.ts';

/** Done where the sender of an event is one that may send any; fails with `unauthenticated` or `sender-not-allowed`. */
export type SenderCheck = (authorization: Header) => Promise<void>;

export interface SenderCheckParts {
  readonly trusted: TrustedSenders;
  readonly keyOf: (keyId: string) => Promise<KeyObject | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Seconds by which the clock of whoever made a token may be wrong. */
const skew = 30;

/** Asks every sender for a token of a trusted ServiceAccount, made for this function. */
export function createSenderCheck({ trusted, keyOf, now }: SenderCheckParts): SenderCheck {
  return async (authorization) => {
    const token = readToken(authorization);
    // First what costs nothing: a token that is refused whoever signed it makes nobody ask for keys.
    refuseClaims(token.claims, trusted, now() / 1000);
    const key = await keyOf(token.keyId);
    if (key === undefined || !isSigned(token, key)) throw refused('the token is not signed by this cluster');
    const { sub } = token.claims;
    if (typeof sub === 'string' && trusted.subjects.includes(sub)) return;
    throw new KnudgeError('sender-not-allowed', 'this sender may send no events: OIDC_SUBJECTS names those that may');
  };
}

function refuseClaims(claims: Token['claims'], { issuer, audience }: TrustedSenders, seconds: number): void {
  const { iss, aud, exp, nbf = 0 } = claims;
  if (iss !== issuer) throw refused(`the token is not of the issuer ${issuer}`);
  if (!(Array.isArray(aud) ? aud : [aud]).includes(audience)) throw refused(`the token is not for ${audience}`);
  if (typeof exp !== 'number' || exp + skew <= seconds) throw refused('the token has expired');
  if (typeof nbf !== 'number' || nbf - skew > seconds) throw refused('the token is not valid yet');
}

/** With a key of the very sort that the algorithm is for: a token must not choose how a key is used. */
function isSigned({ algorithm, signed, signature }: Token, key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const fits = algorithm === 'RS256' ? type === 'rsa' : type === 'ec' && details?.namedCurve === 'prime256v1';
  return fits && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
