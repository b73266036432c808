import type { JWTHeaderParameters, JWTVerifyOptions } from 'jose';
import { KnudgeError } from '../domain/errors.ts';
import type { TrustedSenders } from './config.ts';
import { createKeyRing } from './key-ring.ts';

/** Done where the sender of an event is one that may send any; fails with `unauthenticated` or `sender-not-allowed`. */
export type SenderCheck = (authorization: string | readonly string[] | undefined) => Promise<void>;

export interface SenderCheckParts {
  readonly trusted: TrustedSenders;
  /** Asks for the keys that tokens are signed with, as RFC 7517 writes them. */
  readonly readKeys: () => Promise<readonly unknown[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

/** How tokens of ServiceAccounts are signed. No other way is taken, least of all one that the sender chooses. */
const algorithms = ['RS256', 'ES256'];
/** Seconds by which the clock of the issuer of a token may be wrong. */
const skew = 30;
/** Characters: some times what a token of a ServiceAccount has. */
export const longestToken = 8192;

/** Asks every sender for a token of a trusted ServiceAccount, made for this function. Loads the library that checks them. */
export async function createSenderCheck({ trusted, readKeys, now, elapsed }: SenderCheckParts): Promise<SenderCheck> {
  const { createLocalJWKSet, jwtVerify, UnsecuredJWT } = await import('./jose.ts');
  const keyOf = createKeyRing({ read: readKeys, finderIn: createLocalJWKSet, elapsed });
  return async (authorization) => {
    const token = tokenIn(authorization);
    const options = optionsFor(trusted, now());
    const key = async (header: JWTHeaderParameters) => {
      // Without one any key would do that fits. RFC 7515, 4.1.11: who does not know what is critical must not take it.
      if (typeof header.kid !== 'string' || 'crit' in header) throw refused(unnamedKey);
      // First the checks that cost nothing: a token that fails them needs no key, whatever its signature.
      UnsecuredJWT.decode(`${unsigned}.${token.split('.')[1]}.`, options);
      const found = await keyOf(header);
      if (found === undefined) throw refused(foreign);
      return found;
    };
    const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
      throw error instanceof KnudgeError ? error : refused(reasonOf(error, trusted));
    });
    if (payload.sub !== undefined && trusted.subjects.includes(payload.sub)) return;
    throw new KnudgeError('sender-not-allowed', 'this sender may send no events: OIDC_SUBJECTS names those that may');
  };
}

const foreign = 'the token is not signed by this cluster';
const unnamedKey = 'the token does not say by which key it is signed';
/** A header, so that the claims of a token can be looked at before its signature. */
const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');

function tokenIn(authorization: Parameters<SenderCheck>[0]): string {
  const header = typeof authorization === 'string' ? authorization : '';
  if (header.length > longestToken) throw refused(`the token is longer than ${longestToken} characters`);
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) throw refused('there is no token: send Authorization: Bearer …');
  return token;
}

function optionsFor({ issuer, audience }: TrustedSenders, now: number): JWTVerifyOptions {
  return { algorithms, issuer, audience, requiredClaims: ['exp'], clockTolerance: skew, currentDate: new Date(now) };
}

/** The refusal of a token. Nothing of the token is repeated. */
function refused(why: string): KnudgeError {
  return new KnudgeError('unauthenticated', why);
}

/** What the library has against a token, by its codes, in a sentence for its sender. */
function reasonOf(error: unknown, { issuer, audience }: TrustedSenders): string {
  const { code, claim } = error as { readonly code?: unknown; readonly claim?: unknown };
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return `the token is not signed by one of ${algorithms.join(', ')}`;
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return foreign;
  if (claim === 'iss') return `the token is not of the issuer ${issuer}`;
  if (claim === 'aud') return `the token is not for ${audience}`;
  if (claim === 'exp') return 'the token has expired';
  if (claim === 'nbf') return 'the token is not valid yet';
  return 'the token is not a JSON Web Token';
}
