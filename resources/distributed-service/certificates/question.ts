import type { CertificateFacts, KeyPair } from '../../../packages/issuing/types.ts';

/** The certificates that a decision hangs on. */
export type CertificateQuestion = { readonly about: 'supplied'; readonly pair: KeyPair } | GeneratedQuestion;

/** Those that Knudge makes. */
export interface GeneratedQuestion {
  readonly about: 'generated';
  /** If absent, one must be made, stored and read again before it signs anything. */
  readonly authority: KeyPair | undefined;
  /** What is stored as its successor. */
  readonly next?: KeyPair;
  /** Since when a person wants a successor. */
  readonly wanted?: string;
  /** Nobody may change what is stored, so no successor is made. */
  readonly isFixed?: true;
  readonly leaf: KeyPair | undefined;
  readonly names: readonly string[];
  readonly profile: string;
}

/** Where the authority of a profile is on the way to its successor. */
export type AuthorityTurn =
  | { readonly kind: 'alone' }
  /** A successor is to be made. */
  | { readonly kind: 'due' }
  /** Both are to be trusted, and until then the elder signs. */
  | { readonly kind: 'overlap'; readonly until: string }
  /** Both are to be trusted, and the successor signs: what the elder has signed may live until then. */
  | { readonly kind: 'handing-over'; readonly until: string }
  /** Nothing that the elder has signed lives any more: the successor takes its place. */
  | { readonly kind: 'over' };

/** What the certificates in the observed Secrets are, and those made because they were due. */
export interface Certificates {
  /** A new one: the first, or a successor. */
  readonly authority?: KeyPair;
  readonly leaf?: KeyPair;
  readonly leafFacts?: CertificateFacts;
  /** Of the stored authority that signs. */
  readonly signerFacts?: CertificateFacts;
  readonly turn?: AuthorityTurn;
  /** What is stored as the successor is no authority: the elder goes on alone. */
  readonly isNextBroken?: true;
  readonly suppliedFacts?: CertificateFacts;
}
