import { eventTypes, inputSource, resyncSource } from '../../controller/domain/change.ts';
import type { Delivery, Written } from '../../controller/domain/delivery.ts';
import type { LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';

/** What is read of a log for causes and effects. */
export type Readable = Pick<LogReader, 'events' | 'deliveries'>;

const oldest = { order: 'oldest-first', limit: 50 } as const;
const newest = { order: 'newest-first', limit: 1 } as const;

/** An event without its data. */
export type Brief = Pick<RecordedEvent, 'seq' | 'time' | 'type' | 'id' | 'source' | 'kind' | 'namespace' | 'name'>;

/** What an event came of: a write, or an event that was sent, in a delivery of another event. */
export interface Cause {
  /**
   * How it is known: by the version that was written, the uid that was deleted, the id that was sent. By `object`: Knudge made the object
   * there, and somebody else has changed it since. By name and time it is a guess.
   */
  readonly by: 'version' | 'uid' | 'id' | 'object' | 'name';
  readonly function?: string;
  /** The place of the delivery. */
  readonly delivery?: number;
  readonly write?: Written;
  /** Absent where the log does not have it, or no longer. */
  readonly event?: Brief;
  /** What that one came of; empty where it came from outside, or nobody has reported it. */
  readonly causes: readonly Cause[];
}

/** The deliveries that made this event, with the write of each; empty where it came from outside, or nobody reported it. */
export async function causesOf(log: Readable, event: RecordedEvent): Promise<readonly Omit<Cause, 'causes'>[]> {
  const sentBy = event.source === resyncSource || event.source === inputSource ? idBefore(event.id) : undefined;
  if (sentBy !== undefined) {
    const [sender] = await log.events({ id: sentBy }, newest);
    return sender === undefined ? [] : [{ by: 'id', event: briefOf(sender) }];
  }
  const version = versionOf(event);
  return version === undefined ? byName(log, event) : byVersion(log, event, version);
}

async function byVersion(
  log: Readable,
  event: RecordedEvent,
  version: Version,
): Promise<readonly Omit<Cause, 'causes'>[]> {
  const { uid, resourceVersion } = version;
  const found = await log.deliveries({ uid, version: resourceVersion }, oldest);
  const isIt = (one: Written): boolean => one.uid === uid && one.resourceVersion === resourceVersion;
  if (found.length > 0) return causesIn(log, found, { by: 'version', isIt });
  if (isLeaving(event)) {
    const ends = await endsOf(log, uid);
    if (ends.length > 0) return causesIn(log, ends, { by: 'uid', isIt: (one) => one.uid === uid && isEnd(one) });
  }
  if (eventTypes[event.type] === 'deleted') return [];
  const made = (one: Written): boolean => one.uid === uid && one.do === 'create';
  return causesIn(log, await log.deliveries({ uid, do: 'create' }, oldest), { by: 'object', isIt: made });
}

/** The deliveries that ended an object: that took the last away that it waited for, or else that deleted it. */
export async function endsOf(log: Readable, uid: string): Promise<readonly Delivery[]> {
  const atOnce = await log.deliveries({ uid, version: '' }, oldest);
  return atOnce.length > 0 ? atOnce : log.deliveries({ uid, do: 'delete' }, oldest);
}

/** Whether a write ended the object, or began its end. */
export function isEnd({ do: verb, resourceVersion }: Written): boolean {
  return verb === 'delete' || resourceVersion === '';
}

/** Whether the object of an event is gone, or going: a Pod that never ran gets two versions by one deletion. */
export function isLeaving({ type, data }: RecordedEvent): boolean {
  const { metadata } = (data ?? {}) as { readonly metadata?: { readonly deletionTimestamp?: unknown } };
  return eventTypes[type] === 'deleted' || metadata?.deletionTimestamp !== undefined;
}

/** An event without its data. */
export function briefOf({ seq, time, type, id, source, kind, namespace, name }: Brief): Brief {
  const about = { ...(kind !== undefined && { kind }), ...(namespace !== undefined && { namespace }) };
  return { seq, time, type, id, source, ...about, ...(name !== undefined && { name }) };
}

/** The event at a place; undefined if the log never had it, or has deleted it. */
export async function eventAt(log: Pick<LogReader, 'events'>, seq: number): Promise<RecordedEvent | undefined> {
  const [found] = await log.events({ after: seq - 1, before: seq + 1 }, { order: 'newest-first', limit: 1 });
  return found;
}

interface Version {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The uid and version of the object that an event carries; undefined if it carries none. */
export function versionOf({ data }: RecordedEvent): Version | undefined {
  const { metadata } = (data ?? {}) as {
    readonly metadata?: { readonly uid?: unknown; readonly resourceVersion?: unknown };
  };
  const { uid, resourceVersion } = metadata ?? {};
  return typeof uid === 'string' && typeof resourceVersion === 'string' ? { uid, resourceVersion } : undefined;
}

/** `<id>/<uid>` asks after one object, `<id>/step/2` goes on with a round of the resync. */
function idBefore(id: string): string | undefined {
  const [, round] = /^(.+?)(?:\/step\/\d+|\/[^/]+)$/.exec(id) ?? [];
  return round;
}

/** Milliseconds before an event in which the write is looked for that it may have come of. */
const reach = 60_000;

/** In Reference mode an event has neither uid nor version: the last write of an object of that name is a guess. */
async function byName(log: Readable, event: RecordedEvent): Promise<readonly Omit<Cause, 'causes'>[]> {
  const { kind, namespace = '', name, recorded } = event;
  if (kind === undefined || name === undefined || !(event.type in eventTypes)) return [];
  const at = Date.parse(recorded);
  const [since, until] = [at - reach, at + 1].map((ms) => new Date(ms).toISOString());
  const found = await log.deliveries({ since: since ?? '', until: until ?? '' }, { order: 'newest-first', limit: 500 });
  const isIt = (one: Written): boolean => one.kind === kind && one.namespace === namespace && one.name === name;
  const last = found.find(({ written }) => written.some(isIt));
  return last === undefined ? [] : causesIn(log, [last], { by: 'name', isIt });
}

async function causesIn(
  log: Pick<LogReader, 'events'>,
  deliveries: readonly Delivery[],
  { by, isIt }: { readonly by: Cause['by']; readonly isIt: (one: Written) => boolean },
): Promise<readonly Omit<Cause, 'causes'>[]> {
  const causes = deliveries.map(async (delivery) => {
    const { seq } = delivery.event;
    const event = seq === undefined ? undefined : await eventAt(log, seq);
    const write = delivery.written.find(isIt);
    return {
      ...{ by, function: delivery.function, delivery: delivery.seq },
      ...(write !== undefined && { write }),
      ...(event !== undefined && { event: briefOf(event) }),
    };
  });
  return Promise.all(causes);
}
