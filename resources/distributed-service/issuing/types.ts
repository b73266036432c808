/** Makes certificates. Keys never leave the values it gives. */
export interface Issuer {
  /** A certificate authority of its own: P-256, self-signed. */
  authority(request: AuthorityRequest): Promise<KeyPair>;
  /** A leaf for these names, signed by that authority. */
  leaf(request: LeafRequest): Promise<KeyPair>;
  /** What a certificate says; undefined if the text is not a certificate, the key does not fit it or the authority did not sign it. */
  inspect(pair: KeyPair, authorityCertificate?: string): Promise<CertificateFacts | undefined>;
}

export interface AuthorityRequest {
  readonly commonName: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

export interface LeafRequest extends AuthorityRequest {
  readonly dnsNames: readonly string[];
  readonly addresses?: readonly string[];
  readonly usage: 'client' | 'server';
  readonly authority: KeyPair;
}

/** Both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateFacts {
  readonly notBefore: string;
  readonly notAfter: string;
  readonly dnsNames: readonly string[];
}
