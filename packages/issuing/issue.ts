// First: the certificate library's dependency container wants this polyfill before it is loaded.
import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { AuthorityRequest, KeyPair, LeafRequest } from './types.ts';

/** ECDSA over P-256: what every TLS library of the field takes, with small keys that are quick to make. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

x509.cryptoProvider.set(webcrypto);

/** A self-signed certificate authority that can sign leaves and nothing else. */
export async function issueAuthority({ commonName, notBefore, notAfter }: AuthorityRequest): Promise<KeyPair> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [commonName] }],
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return toPem(certificate, keys.privateKey);
}

/** A leaf for the named hosts, signed by the authority that is handed in. */
export async function issueLeaf(request: LeafRequest): Promise<KeyPair> {
  const { authority, commonName, dnsNames, addresses = [], notBefore, notAfter, usage } = request;
  const issuer = new x509.X509Certificate(authority.certificate);
  const [keys, signingKey] = await Promise.all([newKeys(), importKey(authority.key)]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: [{ CN: [commonName] }],
    issuer: issuer.subject,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        usage === 'client' ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth,
      ]),
      new x509.SubjectAlternativeNameExtension([
        ...dnsNames.map((value) => ({ type: 'dns', value }) as const),
        ...addresses.map((value) => ({ type: 'ip', value }) as const),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return toPem(certificate, keys.privateKey);
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  // A key of another maker may be in the older form of SEC 1.
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}

/** 127 random bits: positive, as RFC 5280 section 4.1.2.2 asks, and never the same twice. */
function newSerial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

async function toPem(certificate: x509.X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyPair> {
  const key = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(key, x509.PemConverter.PrivateKeyTag)}\n`,
  };
}
