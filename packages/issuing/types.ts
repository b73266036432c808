/** Makes certificates. Keys never leave the values it gives. */
export interface Issuer {
  /** A certificate authority of its own: P-256, self-signed. */
  authority(request: AuthorityRequest): Promise<KeyPair>;
  /** A leaf for these names, signed by that authority. */
  leaf(request: LeafRequest): Promise<KeyPair>;
  /** What a certificate says; undefined if the text is not a certificate, the key does not fit it or the authority did not sign it. */
  inspect(pair: KeyPair, authorityCertificate?: string): Promise<CertificateFacts | undefined>;
}

/** What a certificate authority should be. Times are RFC 3339, in UTC. */
export interface AuthorityRequest {
  readonly commonName: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/** What a leaf certificate should be. */
export interface LeafRequest extends AuthorityRequest {
  readonly dnsNames: readonly string[];
  readonly addresses?: readonly string[];
  readonly usage: 'client' | 'server';
  readonly authority: KeyPair;
}

/** A certificate and its key, both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate says about itself. Times are RFC 3339, in UTC. */
export interface CertificateFacts {
  readonly notBefore: string;
  readonly notAfter: string;
  readonly dnsNames: readonly string[];
}
