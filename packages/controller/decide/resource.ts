import type { Budget } from '../domain/budget.ts';
import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Plan, Query, Refusal } from '../domain/plan.ts';

/** What a decision takes from outside besides what was observed: so that it stays a pure function. */
export interface Given {
  /** RFC 3339, whole seconds, UTC. */
  readonly now: string;
  /** A stable hash of a text, safe in labels, annotations and file names. */
  readonly hash: (text: string) => string;
  readonly controllerNamespace: string;
  /** The name of the controller, which its children carry; `knudge` if absent. */
  readonly controller?: string;
  /**
   * The host of the API server, where the process knows it. A resource must not send traffic of its users there: it refuses an address
   * in a spec that is this host.
   */
  readonly apiServer?: string;
  /** Set where the resync is among those that asked for this run: a decision then makes its next try now, and does not wait for its time. */
  readonly byResync?: true;
  /** Objects that are not to be written now, by `Kind name`, `status` or `finalizers`; and why, for people. */
  readonly held?: { readonly objects: ReadonlySet<string>; readonly message: string };
  /** What `consult` has found out; only the resource itself knows what that is. */
  readonly facts?: unknown;
  /** A write of the plan before this one that the API server refused for good. */
  readonly refusal?: Refusal;
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
  /** Whether a decision makes its next try now, and does not wait for its time: `byResync` of `Given`. */
  readonly tries: boolean;
}

/**
 * How a look finds the children of an owner with few reads, to decide whether there is anything to do. A pass that then writes keeps these
 * children and does not read them again, so these queries must ask for every child that the owner may want.
 */
export interface AtRest {
  /** A child that these do not find is not there, or the owner does not want it. */
  readonly queries: readonly Query[];
  /** Roles that no query asks for, and that a look leaves out of what it has observed: the status says what they are, and their own events wake the resource. A pass that writes reads them. */
  readonly asTold: readonly string[];
}

/** How a resource asks other servers for what no object says. */
export interface Consulting {
  /** RFC 3339, whole seconds, UTC: the time of the decision. */
  readonly now: string;
  /** Whether other servers may be asked: an event that our own writes made asks none of them. */
  readonly asks: boolean;
  /** Gives the first answer to a question again, for all passes of a reconcile: they are milliseconds apart, so a server that is silent is waited for once. */
  readonly once: <Answer>(question: string, ask: () => Promise<Answer>) => Promise<Answer>;
}

/** One custom resource: what to read for it, and what to make of that. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  /** Every child that may be written, by role, from the owner's name alone: they are read before the owner. */
  readonly children: (owner: ObjectRef) => ReadonlyMap<string, ObjectRef>;
  /** One of them may never be changed, and is replaced: the status has `attempts` and `lastAttempt` then. */
  readonly replaces?: true;
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
  /**
   * Finds out what a decision needs and no object says: it asks other servers, and makes what is due. Its answer is `facts` of what is given to
   * `decide`. Absent for a resource that decides by objects alone.
   */
  readonly consult?: (observed: Observed, consulting: Consulting) => Promise<unknown>;
  readonly decide: (observed: Observed, given: Given) => Plan;
}
