import type { Lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import type { LiveEndpoints } from '../../../resources/distributed-service/envoy/data-plane.ts';
import type { Budget } from '../domain/budget.ts';
import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Plan, Query, Refusal } from '../domain/plan.ts';
import type { CertificateFacts, KeyPair, TunnelQuestion } from '../domain/ports.ts';

/** What a decision takes from outside besides what was observed: so that it stays a pure function. */
export interface Given {
  /** RFC 3339, whole seconds, UTC. */
  readonly now: string;
  /** A stable hash of a text, safe in labels, annotations and file names. */
  readonly hash: (text: string) => string;
  /** A new secret token; asked for only when one is needed. */
  readonly newToken: () => string;
  readonly images: { readonly frpc: string; readonly envoy: string; readonly message: string };
  readonly controllerNamespace: string;
  /** Where the API server is: a host that no service may lead to. Absent where that is not known. */
  readonly apiServer?: string;
  readonly lifetimes: Lifetimes;
  /** The resync asks, maybe among others: what waits for its next try is tried now. */
  readonly byResync?: true;
  /** Objects that are not to be written now, by `Kind name`, `status` or `finalizers`; and why, for people. */
  readonly held?: { readonly objects: ReadonlySet<string>; readonly message: string };
  readonly certificates: Certificates;
  /** What the tunnel's Envoy says; absent where it was not asked. */
  readonly live?: LiveEndpoints | 'unreachable';
  /** A write of the plan before this one that the API server refused for good. */
  readonly refusal?: Refusal;
}

/** The certificates that a decision hangs on. */
export type CertificateQuestion = { readonly about: 'supplied'; readonly pair: KeyPair } | GeneratedQuestion;

/** Those that Knudge makes. */
export interface GeneratedQuestion {
  readonly about: 'generated';
  /** Absent: one must be made, stored and read again before it signs anything. */
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

/** A named read. What several of one name find is put together. */
export interface NamedQuery {
  readonly name: string;
  readonly query: Query;
  /** It may be written too: then the owner is read once more after it (rule R1). */
  readonly written?: true;
}

/** What was found by name; a name that is not there has not been asked for yet. */
export type Inputs = ReadonlyMap<string, readonly KubeObject[]>;

/** What queries are made from besides the owner. */
export interface Asking extends AskingWith {
  /** By the queries before these. */
  readonly found: Inputs;
}

export interface AskingWith extends Pick<Given, 'controllerNamespace' | 'hash'> {
  readonly children: Observed['children'];
  /** What waits for its next try is tried now. */
  readonly tries: boolean;
}

/**
 * How a look finds the children of an owner with few reads, to decide whether there is anything to do. A pass that then writes keeps these
 * children and does not read them again, so these queries must ask for every child that the owner may want.
 */
export interface AtRest {
  /** A child that these do not find is not there, or the owner does not want it. */
  readonly queries: readonly Query[];
  /** Roles that no query asks for, and that a look leaves out of what it has observed: the status tells of them, and their own events wake. A pass that writes reads them. */
  readonly asTold: readonly string[];
}

/** One custom resource: what to read for it, and what to make of that. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  /** Every child that may be written, by role, from the owner's name alone: they are read before the owner. */
  readonly children: (owner: ObjectRef) => ReadonlyMap<string, ObjectRef>;
  /**
   * What to read besides the children. It is asked again with what was found, until it names nothing new: so a query may hang on what
   * others have found (packages/controller/decide/input-rounds.ts).
   */
  readonly inputs: (owner: KubeObject, asking: Asking) => readonly NamedQuery[];
  /** Lists of what may be written and has no fixed name, from the owner's name alone: they are read before the owner too. */
  readonly lists?: (owner: ObjectRef, controllerNamespace: string) => readonly NamedQuery[];
  /** How an owner is looked at with few reads where its status says that all was carried out; undefined where it does not. */
  readonly atRest?: (owner: KubeObject) => AtRest | undefined;
  /** What one pass may cost besides the children, the lists above, the owner and its status: it grows with what the spec names alone. */
  readonly cost: (owner: KubeObject) => Pick<Budget, 'reads' | 'writes'>;
  /** Which certificates to look at, or to make, before deciding; absent for a resource without any. */
  readonly certificates?: (observed: Observed) => CertificateQuestion | undefined;
  /** What to ask in the Pod of the tunnel before deciding; undefined where nobody could answer. */
  readonly tunnelQuestion?: (observed: Observed) => TunnelQuestion | undefined;
  readonly decide: (observed: Observed, given: Given) => Plan;
}
