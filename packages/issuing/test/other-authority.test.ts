import assert from 'node:assert/strict';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { issuer } from '../issuer.ts';
import type { KeyPair } from '../types.ts';

const span = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2036-01-01T00:00:00Z' };
const names = ['web.shop.distributedservices.frp.io'];

const kinds = {
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
} as const;

/** A certificate authority that is right in all but the kind of its key. */
async function authorityOf(kind: keyof typeof kinds): Promise<KeyPair> {
  // Loads the library as the product does, its polyfill first.
  await import('../issue.ts');
  const x509 = await import('@peculiar/x509');
  const algorithm = kinds[kind];
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: [{ CN: ['somebody'] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(span.notBefore),
    notAfter: new Date(span.notAfter),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

for (const kind of ['P-384', 'RSA'] as const) {
  test(`an authority with a key of ${kind} is none that Knudge could sign with, and a certificate all the same`, async () => {
    const authority = await authorityOf(kind);
    assert.equal(await issuer.inspect(authority, authority.certificate), undefined);
    assert.equal((await issuer.inspect(authority))?.notAfter, span.notAfter);
  });
}

test('an authority whose key is in the form of SEC 1 signs as every other', async () => {
  const made = await issuer.authority({ commonName: 'Knudge clients of default', ...span });
  const key = createPrivateKey(made.key).export({ type: 'sec1', format: 'pem' }).toString();
  const authority = { certificate: made.certificate, key };
  assert.match(key, /BEGIN EC PRIVATE KEY/);
  assert.ok(await issuer.inspect(authority, authority.certificate));
  const leaf = await issuer.leaf({ commonName: 'web', dnsNames: names, usage: 'client', authority, ...span });
  assert.ok(await issuer.inspect(leaf, authority.certificate));
});
