import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { timeOf } from '../controller/domain/time.ts';
import type { CertificateFacts, KeyPair } from './types.ts';

/**
 * What a certificate says; undefined where it is not a certificate, where the key is not its own, or where the authority, if one
 * is named, did not sign it or has a key of another kind than Knudge signs with.
 */
export function inspect({ certificate, key }: KeyPair, authorityCertificate?: string): CertificateFacts | undefined {
  try {
    const parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return undefined;
    if (authorityCertificate !== undefined) {
      const authority = new X509Certificate(authorityCertificate);
      if (
        !authority.ca ||
        !isP256(authority.publicKey) ||
        !parsed.checkIssued(authority) ||
        !parsed.verify(authority.publicKey)
      )
        return undefined;
    }
    return { notBefore: toTime(parsed.validFrom), notAfter: toTime(parsed.validTo), dnsNames: dnsNames(parsed) };
  } catch {
    // OpenSSL has many words for "this is no certificate" and "this is no key"; to us they are one.
    return undefined;
  }
}

function isP256({ asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function toTime(openSslTime: string): string {
  return timeOf(Date.parse(openSslTime) / 1000);
}

function dnsNames({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return subjectAltName.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
}
