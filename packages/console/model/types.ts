import type { Delivery as Reported, Written } from '../../controller/domain/delivery.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';

export type { LiveCondition } from '../../controller/domain/conditions.ts';
export type { Delivery as Reported, Written } from '../../controller/domain/delivery.ts';
export type { DeadLetter, DeadLetterState, Gap, RecordedEvent } from '../../controller/domain/event-log.ts';

/** One try of a function with an event; `event` is its place in the log, 0 where the log does not have it. */
export interface Delivery extends Omit<Reported, 'event' | 'attempt'> {
  readonly event: number;
  readonly id: string;
  readonly attempt: number;
}

/** An event without its data, as chains and histories name it. */
export type Brief = Pick<RecordedEvent, 'seq' | 'time' | 'type' | 'id' | 'source' | 'kind' | 'namespace' | 'name'>;

/** What an event came of, and what came of it. */
export interface Chain {
  readonly causes: readonly Cause[];
  readonly effects: readonly Effect[];
  /** There is more than the log has looked for. */
  readonly isCut: boolean;
}

/** How a cause is known, the function that wrote, and the event that made it write. */
export interface Cause {
  readonly by: 'version' | 'uid' | 'id' | 'object' | 'name';
  readonly function?: string;
  readonly event?: Brief;
}

/** A write of a function, and the event that shows it; no event where the log does not have one. */
export interface Effect {
  readonly function: string;
  readonly write: Written;
  readonly event?: Brief;
  readonly effects: readonly Effect[];
}

/** A change at one place: an operation of JSON Patch, with what was there before where the log knows it. */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
  readonly was?: unknown;
}

/** A version of an object, as one event showed it. */
export interface Version {
  readonly seq: number;
  readonly at: string;
  readonly verb: string;
  /** Empty where the event shows no version, as when the resync asks after the object. */
  readonly resourceVersion: string;
  readonly manager: string;
  readonly diff: Readonly<Record<'spec' | 'status' | 'metadata', readonly Change[]>>;
  readonly causes: readonly Cause[];
  readonly deliveries: readonly Pick<Delivery, 'seq' | 'function' | 'status' | 'outcome'>[];
}

/** A Kubernetes Event about an object. */
export interface KubernetesEvent {
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly note: string;
}

/** Whether two versions of a function would write the same for an event: docs/local-mode.md. */
export type Compared =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'failed'; readonly why: string };

/** One place where two versions differ; what one of them does not write is absent. */
export interface Difference {
  readonly of: string;
  readonly field: string;
  readonly here?: unknown;
  readonly there?: unknown;
}

/** An object as the cluster has it, in the columns of `kubectl get`. */
export interface Row {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly shown: Readonly<Record<string, string>>;
  readonly leaving?: true;
}

/** An object and what it owns, as the cluster has them: docs/local-mode.md. */
export interface ObjectNow {
  readonly object?: Row & { readonly status?: Readonly<Record<string, unknown>> };
  readonly children: readonly Row[];
  readonly unread: readonly { readonly kind: string; readonly why: string }[];
}

/** A write that a function would make, and what it would change; no changes where the function does not say. */
export interface PlannedWrite extends Pick<Written, 'do'> {
  readonly changes?: readonly Change[];
  /** How many more changes there are. */
  readonly leftOut: number;
  /** Of a deletion: what it owns goes after it, or before it. */
  readonly propagation?: 'Background' | 'Foreground';
  /** Why the API server refused to try it. */
  readonly refusal?: string;
}

/** How many events led to it, and the place of the last of them; 0 where it was not recorded. */
interface Led {
  readonly events: number;
  readonly last: number;
}

/** An object that functions would change as things are now, by the last plan for it. */
export interface PlannedObject extends Led, Pick<Written, 'kind' | 'namespace' | 'name'> {
  readonly functions: readonly string[];
  readonly writes: readonly PlannedWrite[];
}

/** What functions would write for some events, each object once. */
export interface Plan {
  readonly objects: readonly PlannedObject[];
  /** How many more writes there are. */
  readonly leftOut: number;
  /** The functions that have no plan, with the reason. */
  readonly failed: readonly (Led & { readonly function: string; readonly failed: string })[];
  /** How many times a function was asked. */
  readonly answers: number;
  readonly events: number;
  /** There are more events than were planned. */
  readonly cut?: true;
}

/** Where each event goes: `knudge map --json`. */
export interface EventMap {
  readonly ways: readonly {
    readonly source: string;
    readonly about: string;
    readonly types: readonly string[];
    readonly to: readonly { readonly trigger: string; readonly function: string; readonly makes: readonly string[] }[];
  }[];
  readonly deadLetters: readonly { readonly sink: string; readonly from: readonly string[] }[];
}

/** What `knudge doctor` found, each cause once, as it prints them. */
export interface Examined {
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem' | 'unchecked';
  readonly what: string;
  readonly why?: string;
  readonly todo?: string;
}

/** A function as its process is now: a row for each Trigger that wakes one. */
export interface FunctionState {
  readonly name: string;
  /** The process that serves it; its name, where nothing says another. */
  readonly process?: string;
  /** How many processes are awake. */
  readonly awake?: number;
  /** Bytes of memory of these; absent where nobody says it. */
  readonly memoryBytes?: number;
  /** Why its process ends each time it starts. */
  readonly crashing?: string;
}

/** What the person may do, with the reason where they may not. */
export type May = Readonly<Record<Action, { readonly allowed: boolean; readonly why?: string }>>;

export type Action = 'retry' | 'discard' | 'replay' | 'plan';
