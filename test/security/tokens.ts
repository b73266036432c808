import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { longestToken } from '../../packages/controller/server/check-sender.ts';
import type { TrustedSenders } from '../../packages/controller/server/config.ts';

export const trusted: TrustedSenders = {
  issuer: 'https://kubernetes.default.svc.cluster.local',
  audience: 'http://message-changed.knudge.svc.cluster.local',
  subjects: ['system:serviceaccount:knudge:sender', 'system:serviceaccount:knudge:other-sender'],
};

/** Seconds since 1970: when all tokens here are young. */
export const noon = Math.floor(Date.now() / 1000);

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What the API server publishes. */
export const published: readonly JsonWebKey[] = [
  { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa-1', use: 'sig', alg: 'RS256' },
  { ...elliptic.publicKey.export({ format: 'jwk' }), kid: 'ec-1', use: 'sig', alg: 'ES256' },
];

type Fields = Readonly<Record<string, unknown>>;

const usual = { alg: 'RS256', kid: 'rsa-1' } as const;
export const claims = {
  iss: trusted.issuer,
  aud: [trusted.audience],
  sub: 'system:serviceaccount:knudge:sender',
  exp: noon + 600,
  nbf: noon - 10,
  iat: noon - 10,
} as const;

/** A token with these fields over the usual ones; `undefined` takes one away. */
export function token(given: Fields = {}, header: Fields = usual, key: KeyObject = rsa.privateKey): string {
  const signed = unsigned({ ...claims, ...given }, header);
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function unsigned(body: Fields, header: Fields): string {
  return [header, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

/** The public key as a shared secret: who takes every algorithm, and this key for it, takes what anybody can make. */
function signedWithThePublicKey(): string {
  const signed = unsigned(claims, { ...usual, alg: 'HS256' });
  const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' });
  return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
}

const [head = '', body = '', tail = ''] = token().split('.');
const bearer = (text: string): string => `Bearer ${text}`;

/** Headers that are refused, with the status and why. */
export const forged: Readonly<Record<string, readonly [authorization: string | undefined, status: number]>> = {
  'no token': [undefined, 401],
  'an empty header': ['', 401],
  'another scheme': ['Basic YTpi', 401],
  'a scheme without a token': ['Bearer ', 401],
  'two tokens in one header': [`${bearer(token())}, ${bearer(token())}`, 401],
  garbage: [bearer('garbage'), 401],
  'three parts of garbage': [bearer('a.b.c'), 401],
  'a token that is no object': [bearer(`${Buffer.from('[]').toString('base64url')}.${body}.${tail}`), 401],
  'a token with a key __proto__': [
    bearer(`${Buffer.from('{"__proto__":{"alg":"RS256"}}').toString('base64url')}.${body}.${tail}`),
    401,
  ],
  'a header a thousand levels deep': [
    bearer(`${Buffer.from('['.repeat(1000)).toString('base64url')}.${body}.${tail}`),
    401,
  ],
  'alg none': [bearer(`${unsigned(claims, { alg: 'none', kid: 'rsa-1' })}.`), 401],
  'alg none with a signature': [bearer(`${unsigned(claims, { alg: 'none', kid: 'rsa-1' })}.${tail}`), 401],
  'alg None, and a signature': [bearer(`${unsigned(claims, { alg: 'None', kid: 'rsa-1' })}.${tail}`), 401],
  'HS256 with the public key as secret': [bearer(signedWithThePublicKey()), 401],
  'RS512, which no ServiceAccount has': [bearer(token({}, { ...usual, alg: 'RS512' })), 401],
  'an algorithm that is a list': [bearer(token({}, { ...usual, alg: ['RS256'] })), 401],
  'no algorithm': [bearer(token({}, { kid: 'rsa-1' })), 401],
  'no key id': [bearer(token({}, { alg: 'RS256' })), 401],
  'a key of its own in its header': [
    bearer(
      token({}, { ...usual, kid: 'mine', jwk: stranger.publicKey.export({ format: 'jwk' }) }, stranger.privateKey),
    ),
    401,
  ],
  'an address of keys in its header': [
    bearer(token({}, { ...usual, kid: 'mine', jku: 'https://attacker.example/keys' }, stranger.privateKey)),
    401,
  ],
  'a critical header that nobody knows': [bearer(token({}, { ...usual, crit: ['b64'], b64: false })), 401],
  'a critical header that the library knows': [bearer(token({}, { ...usual, crit: ['b64'], b64: true })), 401],
  'a token that is too long': [bearer(token({ 'kubernetes.io': 'x'.repeat(longestToken) })), 401],
  'a token that is encrypted': [
    bearer(`${unsigned(claims, { alg: 'RSA-OAEP', enc: 'A256GCM', kid: 'rsa-1' })}.a.b.c`),
    401,
  ],
  'an unknown key': [bearer(token({}, { ...usual, kid: 'rsa-2' }, stranger.privateKey)), 401],
  'the name of a key of Object': [bearer(token({}, { ...usual, kid: 'constructor' }, stranger.privateKey)), 401],
  'another key under the known name': [bearer(token({}, usual, stranger.privateKey)), 401],
  'RS256 with the elliptic key': [bearer(token({}, { alg: 'RS256', kid: 'ec-1' })), 401],
  'an elliptic signature that is called RS256': [
    bearer(token({}, { alg: 'RS256', kid: 'ec-1' }, elliptic.privateKey)),
    401,
  ],
  'ES256 with the RSA key': [bearer(token({}, { alg: 'ES256', kid: 'rsa-1' }, elliptic.privateKey)), 401],
  'claims that were changed after it was signed': [
    bearer(`${head}.${Buffer.from(JSON.stringify({ ...claims, exp: noon + 9999 })).toString('base64url')}.${tail}`),
    401,
  ],
  'no signature': [bearer(`${head}.${body}.`), 401],
  'half a signature': [bearer(`${head}.${body}.${tail.slice(0, 100)}`), 401],
  'another issuer': [bearer(token({ iss: 'https://attacker.example' })), 401],
  'no issuer': [bearer(token({ iss: undefined })), 401],
  'another audience': [bearer(token({ aud: ['http://pod-changed.knudge.svc.cluster.local'] })), 401],
  'the audience of the API server': [bearer(token({ aud: [trusted.issuer] })), 401],
  'no audience': [bearer(token({ aud: undefined })), 401],
  'a part of the audience': [bearer(token({ aud: `${trusted.audience}.attacker.example` })), 401],
  'an end in the past': [bearer(token({ exp: noon - 31 })), 401],
  'no end': [bearer(token({ exp: undefined })), 401],
  'an end that is a text': [bearer(token({ exp: String(noon + 600) })), 401],
  'a beginning in the future': [bearer(token({ nbf: noon + 90 })), 401],
  'another sender': [bearer(token({ sub: 'system:serviceaccount:tenant:sender' })), 403],
  'no sender': [bearer(token({ sub: undefined })), 403],
  'a list of senders': [bearer(token({ sub: [claims.sub] })), 403],
  'the beginning of a sender': [bearer(token({ sub: 'system:serviceaccount:knudge:send' })), 403],
};
