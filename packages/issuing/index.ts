// What others may use of the issuer: README.md.
export { issuer } from './issuer.ts';
export type { AuthorityRequest, CertificateFacts, Issuer, KeyPair, LeafRequest } from './types.ts';
