// Must come first: the dependency container of the certificate library needs this polyfill when it is loaded.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface StubCertificate {
  /** In PEM; it is its own authority. */
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A new self-signed certificate for 127.0.0.1, for an hour. */
export async function stubCertificate(): Promise<StubCertificate> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const minute = 60_000;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=stub',
    notBefore: new Date(Date.now() - minute),
    notAfter: new Date(Date.now() + 60 * minute),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, x509.PemConverter.PrivateKeyTag),
  };
}
