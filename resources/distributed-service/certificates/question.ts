import type { CertificateFacts, KeyPair } from '../../../packages/issuing/types.ts';

/** The certificates that a decision depends on: one that a person supplied, or those that Knudge makes. */
export type CertificateQuestion = { readonly about: 'supplied'; readonly pair: KeyPair } | GeneratedQuestion;

/** The certificates that Knudge makes for a service. */
export interface GeneratedQuestion {
  readonly about: 'generated';
  /** If undefined, one must be made, stored and read again before it signs anything. */
  readonly authority: KeyPair | undefined;
  /** The certificate and key that are stored as its successor; they may be broken. */
  readonly next?: KeyPair;
  /** The time since when a person wants a successor, as the annotation says it. */
  readonly wanted?: string;
  /** The Secret is immutable, so no successor can be stored. */
  readonly isFixed?: true;
  readonly leaf: KeyPair | undefined;
  readonly names: readonly string[];
  readonly profile: string;
}

/** The stage of an authority on the way to its successor. */
export type AuthorityTurn =
  /** There is no successor, and none is due. */
  | { readonly kind: 'alone' }
  /** A successor must be made now. */
  | { readonly kind: 'due' }
  /** FRP servers must trust both. The older authority signs until this time. */
  | { readonly kind: 'overlap'; readonly until: string }
  /** FRP servers must trust both. The successor signs; leaves of the older authority may live until this time. */
  | { readonly kind: 'handing-over'; readonly until: string }
  /** Every leaf of the older authority has expired: the successor takes its place. */
  | { readonly kind: 'over' };

/** The facts about the certificates in the observed Secrets, and the certificates that were due and so made. */
export interface Certificates {
  /** A new authority: the first one, or a successor. */
  readonly authority?: KeyPair;
  readonly leaf?: KeyPair;
  readonly leafFacts?: CertificateFacts;
  /** The facts about the stored authority that signs. */
  readonly signerFacts?: CertificateFacts;
  readonly turn?: AuthorityTurn;
  /** The stored successor is not a valid authority, so the older one goes on alone. */
  readonly isNextBroken?: true;
  readonly suppliedFacts?: CertificateFacts;
}
