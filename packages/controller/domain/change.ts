import type { KubeObject, ObjectRef } from './kube-object.ts';

/** A CloudEvent after decoding: attributes checked, data parsed, nothing interpreted. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly time?: string;
  /** Extension attributes, names in lower case. */
  readonly extensions: ReadonlyMap<string, string>;
  readonly data: unknown;
}

/** Characters of one attribute of an event: what Node takes as all headers of a request together. */
export const maxAttributeLength = 16_384;

/** For logs and metrics only: what is done never depends on it (an event is a hint). */
export type Verb = 'added' | 'updated' | 'deleted' | 'requested';

/** Something happened, or may have happened, to one object. */
export interface Change {
  readonly id: string;
  readonly verb: Verb;
  readonly ref: ObjectRef;
  /** The resync asks, not a person: it has no news of the object. */
  readonly byResync?: true;
  /** A function asks, which has learned that something changed which several use: there is news, but none of the object itself. */
  readonly byInput?: true;
  /** Somebody has sent it once more: they want the object looked at. */
  readonly isReplay?: true;
  /** The object as the event carried it, possibly old: a hint for whom this concerns. Absent in reference mode. */
  readonly hint?: KubeObject;
}

/** An event of Knudge's own, to be sent or to be answered with. */
export interface Outgoing {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339. */
  readonly time: string;
  /** Names of lower-case letters and digits. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Becomes JSON; absent where the attributes say it all. */
  readonly data?: unknown;
}

/** What wakes the resync: a tick of a PingSource, or an event of Knudge's own. */
export const resyncTypes = { tick: 'dev.knative.sources.ping', due: 'dev.knudge.resync.due' } as const;

/**
 * A source's adapter that starts anew: an event of `eventing/sources/source-adapters.yaml` about its Pod, whose extension
 * says so.
 */
export const restarted = {
  type: 'dev.knative.apiserver.resource.update',
  extension: 'knudgeabout',
  value: 'source-adapter',
} as const;

/** The extension of an event that is sent once more from the event log. */
export const replayExtension = 'knudgereplay';

/** The extension of such an event that the log keeps only in part: how many bytes it had. */
export const shortenedExtension = 'knudgeshortened';

/** Extensions that Knative adds to an event on its way, and anew to whatever is sent again. */
export const ofKnative = /^knative(arrivaltime|brokerttl|error.*)$/;

/** The resync, a function, or a person asks after one object. */
export const requestedType = 'dev.knudge.resync.requested';

/** The source of every event that the resync sends: by it they are told from a person's. */
export const resyncSource = '/knudge/resync-due';

/** The source of every event by which a function asks after one of several that use what has changed. */
export const inputSource = '/knudge/users-of-an-input';

/** Types of the ApiServerSource, as recorded from the real adapter, and of Knudge's own events about one object. */
export const eventTypes: Readonly<Record<string, Verb>> = {
  'dev.knative.apiserver.resource.add': 'added',
  'dev.knative.apiserver.resource.update': 'updated',
  'dev.knative.apiserver.resource.delete': 'deleted',
  'dev.knative.apiserver.ref.add': 'added',
  'dev.knative.apiserver.ref.update': 'updated',
  'dev.knative.apiserver.ref.delete': 'deleted',
  [requestedType]: 'requested',
};
