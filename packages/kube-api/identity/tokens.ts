import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';

/** The issuer of the tokens, and the audience that this API itself accepts: the names that a cluster has by default. */
export const issuer = 'https://kubernetes.default.svc.cluster.local';

const keyId = 'knudge';
const header = { alg: 'ES256', kid: keyId };

/** What a token says, signed with a key that is made when it is first needed and that ends with the process. */
export interface TokenSigner {
  readonly sign: (claims: JsonObject) => string;
  /** The claims of a token of this key that is valid at this time, in seconds; undefined for any other text. */
  readonly claimsOf: (token: string, now: number) => JsonObject | undefined;
  /** The key as RFC 7517 has it, by which others can check a token. */
  readonly jwks: () => JsonObject;
}

export function createSigner(): TokenSigner {
  let pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;
  const keys = () => (pair ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  return {
    sign: (claims) => {
      const text = `${encoded(header)}.${encoded(claims)}`;
      const key = { key: keys().privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
    },
    claimsOf: (token, now) => {
      const [head = '', body = '', signature = '', ...more] = token.split('.');
      if (pair === undefined || more.length > 0 || head !== encoded(header)) return undefined;
      const key = { key: pair.publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const text = Buffer.from(`${head}.${body}`);
      if (!verify('sha256', text, key, Buffer.from(signature, 'base64url'))) return undefined;
      const claims = objectAt(JSON.parse(Buffer.from(body, 'base64url').toString()) as Json);
      return now >= Number(claims['nbf']) && now < Number(claims['exp']) ? claims : undefined;
    },
    jwks: () => {
      const { kty = '', crv = '', x = '', y = '' } = keys().publicKey.export({ format: 'jwk' });
      return { keys: [{ use: 'sig', kty, kid: keyId, crv, alg: header.alg, x, y }] };
    },
  };
}

/** The audiences that a token names. */
export function audiencesOf({ aud }: JsonObject): readonly string[] {
  return isArray(aud) ? aud.map(String) : [];
}

/** The ServiceAccount that a token names. */
export function accountOf(claims: JsonObject): { namespace: string; name: string; uid: string } {
  const kubernetes = objectAt(claims, 'kubernetes.io');
  const account = isObject(kubernetes['serviceaccount']) ? kubernetes['serviceaccount'] : {};
  const { name = '', uid = '' } = account;
  return { namespace: String(kubernetes['namespace'] ?? ''), name: String(name), uid: String(uid) };
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
