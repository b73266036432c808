import { eventTypes, type Verb } from '../../controller/domain/change.ts';
import type { Delivery } from '../../controller/domain/delivery.ts';
import type { LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { calmly } from './calm.ts';
import { type Brief, briefOf, type Cause, causesOf } from './causes.ts';
import { formerOf } from './former.ts';
import { comparedWith, objectIn, type Writer } from './kept-object.ts';

/** An object by its name; a kind is enough, as events have it. */
export interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One version of an object, or an event about it without one, as when the resync asks after it. */
export interface Version {
  readonly event: Brief;
  readonly verb?: Verb;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** The program that wrote it last, by its managedFields, where the log keeps them and they show it. */
  readonly by?: Writer;
  /** What differs from the version before it, in spec and status, in labels and finalizers: `/spec/text`. */
  readonly changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
  /** The writes of Knudge that made it; empty: it came from outside, or nobody reported it. */
  readonly causes: readonly Omit<Cause, 'causes'>[];
  /** What Knudge did about it at the last tries, in their order. */
  readonly deliveries: readonly Omit<Delivery, 'event'>[];
}

export interface History {
  readonly object: Named;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Where the next page begins; absent at the end. */
  readonly next?: { readonly before: number };
}

export interface HistoryPage {
  readonly limit: number;
  readonly before?: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly over?: AbortSignal;
}

type Readable = Pick<LogReader, 'events' | 'deliveries'>;

/** The versions of an object as events showed them, newest first, each with its cause and what became of it. */
export async function historyOf(from: Readable, object: Named, page: HistoryPage): Promise<History> {
  const { limit, before, over } = page;
  const log = calmly(from, { most: Number.POSITIVE_INFINITY, ...(over && { over }) });
  const filter = { ...object, ...(before !== undefined && { before }) };
  const found = await log.events(filter, { order: 'newest-first', limit: limit + 1 });
  const shown = found.slice(0, limit);
  const versions = shown.map((event, index) => versionOf(log, event, found.slice(index + 1)));
  const last = shown.at(-1);
  const next = found.length > limit && last !== undefined ? { next: { before: last.seq } } : {};
  return { object, versions: await Promise.all(versions), ...next };
}

/** The newest tries of an event in all functions together. */
const mostTries = 50;

async function versionOf(log: Readable, event: RecordedEvent, older: readonly RecordedEvent[]): Promise<Version> {
  const verb = Object.hasOwn(eventTypes, event.type) ? eventTypes[event.type] : undefined;
  const object = objectIn(event);
  const [former, causes, deliveries] = await Promise.all([
    object === undefined ? undefined : formerOf(log, event, older),
    causesOf(log, event),
    log.deliveries({ event: event.seq }, { order: 'newest-first', limit: mostTries }),
  ]);
  const { uid, resourceVersion } = object?.metadata ?? {};
  const { changes, by } = object === undefined ? { changes: [] } : comparedWith(former, object);
  return {
    event: briefOf(event),
    ...(verb && { verb }),
    ...(uid !== undefined && { uid }),
    ...(by && { by }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    changes,
    causes,
    deliveries: deliveries.toReversed().map(({ event: _, ...delivery }) => delivery),
  };
}
