import type { Change, Outgoing, Received } from './change.ts';
import type { EventLog } from './event-log.ts';
import type { FieldPath, KubeObject, ObjectRef } from './kube-object.ts';
import type { Notice, Nudge, Outcome, Precondition, Query, Status } from './plan.ts';
import type { Restarts, Rounds } from './rounds.ts';

/** Reads from the API server. Every error is a KnudgeError; "there is none" is undefined or an empty list. */
export interface Reader {
  /** The most recent state of one object, never from a cache. */
  get(ref: ObjectRef): Promise<KubeObject | undefined>;
  /** The same, metadata alone: for Secrets whose data is nobody's business. */
  getMetadata(ref: ObjectRef): Promise<KubeObject | undefined>;
  /**
   * Every object that fits, read by pages; an empty namespace means all, an empty selector everything. Fails with
   * `unexpected-answer` where the API server does not select the kind by a field of the selector.
   */
  list(query: Omit<Extract<Query, { what: 'list' }>, 'what'>): Promise<readonly KubeObject[]>;
}

/** Reads a list page by page, for work that no single answer could hold. */
export interface Pager {
  /**
   * `token` is what the page before gave as `next`, empty for the first. Fails with `expired` when it is too old. `remaining`
   * is about how many objects come after it; 0 where the API server does not say.
   */
  page(
    query: Omit<Extract<Query, { what: 'list' }>, 'what'>,
    request: { readonly token: string; readonly limit: number; readonly metadataOnly: boolean },
  ): Promise<{ readonly objects: readonly KubeObject[]; readonly next: string; readonly remaining: number }>;
}

/** Sends events to the Broker. */
export interface Sender {
  /**
   * Done when the Broker has taken it; fails with `unavailable`, `unexpected-answer`, or where it is this event that the
   * Broker does not take `invalid-event`, `too-large` or `unsupported-media-type`.
   */
  send(event: Outgoing): Promise<void>;
}

/** Writes to the API server, each with its precondition. Gives the object as it is afterwards. */
export interface Writer {
  /** POST: fails with `already-exists` where there is one, never overwrites. */
  create(object: KubeObject): Promise<KubeObject>;
  /**
   * Server-side apply over the object as it was read: fails with `conflict` if it is no longer that. What others have set stays,
   * but for the strays.
   */
  apply(object: KubeObject, live: KubeObject, strays?: readonly FieldPath[]): Promise<KubeObject>;
  delete(ref: ObjectRef, precondition: Precondition, propagation: 'Background' | 'Foreground'): Promise<void>;
  /** Through the scale subresource. */
  scale(ref: ObjectRef, precondition: Precondition, replicas: number): Promise<void>;
  /** The whole list of finalizers, by merge patch: an apply would bring a deleted object back. */
  finalizers(ref: ObjectRef, precondition: Precondition, finalizers: readonly string[]): Promise<KubeObject>;
  status(ref: ObjectRef, precondition: Precondition, status: Status): Promise<KubeObject>;
  /** A Kubernetes Event about an object. */
  notice(about: KubeObject, notice: Notice): Promise<void>;
  /** Never fails: it only makes something sooner that comes anyway. */
  nudge(nudge: Nudge): Promise<void>;
}

/** Asks the API server what it would make of a write, which it then does not make (`dryRun=All`). Each fails as the write would. */
export interface Trial {
  create(object: KubeObject): Promise<void>;
  /** Gives the object as it would be. `merge` is a JSON merge patch (RFC 7386) without the precondition. */
  patch(ref: ObjectRef, precondition: Precondition, change: TrialChange): Promise<KubeObject>;
  scale(ref: ObjectRef, precondition: Precondition, replicas: number): Promise<void>;
}

export interface TrialChange {
  readonly merge: Readonly<Record<string, unknown>>;
  readonly subresource?: 'status';
}

/** One step of the work, for DEBUG_MODE: a constant name and its fields. */
export type Trace = (step: string, fields: Readonly<Record<string, unknown>>) => void;

/** Lines of the log: a constant message and its fields. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What a function may use that is woken by a change of an object. */
export interface HandlerContext {
  readonly reader: Reader;
  /** The namespace of the controller, where objects live that parents of all namespaces share. */
  readonly controllerNamespace: string;
  /** Makes one parent what it should be; callers that arrive meanwhile share the next run. */
  readonly reconcile: (ref: ObjectRef, how?: ReconcileHow) => Promise<Outcome>;
  /** Waits until what was written has taken effect in this Pod, as far as its resource can find that out: see `Outside`. */
  readonly settled: (pod: ObjectRef) => Promise<void>;
  /** Asks after each of several parents by an event of its own, through the Broker; absent where no Broker is configured, and in a dry run. */
  readonly askAfter?: (parents: readonly ObjectRef[]) => Promise<Outcome>;
}

export interface ReconcileHow {
  /**
   * No program outside of the cluster is asked. For events that our own writes make: a server that answered otherwise each time
   * would keep us writing, and so asking, for ever.
   */
  readonly asksNobody?: boolean;
  /** Something that it waits for has changed: what it wants is looked at again. */
  readonly wakes?: boolean;
  /** It is looked at whatever is known of the object: there may be news that no object shows. */
  readonly insists?: boolean;
  /** What was read of the object that the event names, where the event itself does not carry it: as good as if it did. */
  readonly seen?: KubeObject;
}

/**
 * A function that an object's change wakes: it names the parents that the change concerns and has each reconciled. Gives what came of
 * each. A KnudgeError that it rejects with becomes the answer to the Broker: docs/errors.md.
 */
export type Handler = (change: Change, context: HandlerContext) => Promise<readonly Outcome[]>;

/** What a function may use that takes whole events; the API server, the Broker and the event log only where its row says so. */
export interface EventContext {
  readonly pager: Pager;
  readonly sender: Sender;
  readonly eventLog: Pick<EventLog, 'append' | 'appendDeadLetter' | 'appendDeliveries'>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long it may begin new work: what has begun by then still ends before the deadline. */
  readonly workSeconds: number;
  /** Writes a Kubernetes Event about an object. Never fails. */
  readonly tell: Writer['notice'];
  readonly rounds: Rounds;
  readonly restarts: Restarts;
  /** Resolves after this many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

export type EventHandler = (received: Received, context: EventContext) => Promise<Outcome>;

/** A question of another program: where it was asked, and the JSON of its body. */
export interface Asked {
  readonly path: string;
  readonly body: unknown;
}

export interface Reply {
  readonly json: unknown;
  /** For the metrics: one word of a few. */
  readonly outcome: string;
  /** For the one line of the log. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** What a function may use that answers questions. */
export interface QuestionContext {
  readonly reader: Reader;
  /** The namespace of the controller. */
  readonly controllerNamespace: string;
  /** A stable hash of a text, as decisions take it too: the same text has the same name everywhere. */
  readonly hash: (text: string) => string;
  /** Whether two secrets are the same, found out in a time that reveals nothing of either. */
  readonly isSame: (one: string, other: string) => boolean;
  /** 32 hexadecimal digits. Of no use as a secret's guard: for a protocol that asks for it. */
  readonly md5: (text: string) => string;
}

export type QuestionHandler = (asked: Asked, context: QuestionContext) => Promise<Reply>;
