import { eventTypes, inputSource, restarted, resyncSource, resyncTypes } from '../../controller/domain/change.ts';
import type { Delivery, Written } from '../../controller/domain/delivery.ts';
import type { LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { objectIn } from './kept-object.ts';

/** What is read of a log for causes and effects. */
export type Readable = Pick<LogReader, 'events' | 'deliveries'>;

const oldest = { order: 'oldest-first', limit: 50 } as const;
const newest = { order: 'newest-first', limit: 20 } as const;

/** Of which types the events are that a source sends others after. */
const senders: Readonly<Record<string, (type: string) => boolean>> = {
  [resyncSource]: (type) => [resyncTypes.tick, resyncTypes.due, restarted.type].some((one) => one === type),
  [inputSource]: (type) => Object.hasOwn(eventTypes, type),
};

/** An event without its data. */
export type Brief = Pick<RecordedEvent, 'seq' | 'time' | 'type' | 'id' | 'source' | 'kind' | 'namespace' | 'name'>;

/** What an event came of: a write, or an event that was sent, in a delivery of another event. */
export interface Cause {
  /**
   * How it is known: by the version that was written, the uid that was deleted, the id that was sent. By `object`: Knudge made the object
   * there, and no report names this version: somebody else has changed it since, or the report is missing. By name and time it is a guess.
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
  const sends = Object.hasOwn(senders, event.source) ? senders[event.source] : undefined;
  const sentBy = sends && idBefore(event.id);
  if (sends !== undefined && sentBy !== undefined) {
    // An id is unique only for its source: of those that have it, the last before the event that can have sent it.
    const found = await log.events({ id: sentBy, before: event.seq }, newest);
    const sender = found.find(({ type }) => sends(type));
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
  if (isDeleted(event)) return [];
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
export function isLeaving(event: RecordedEvent): boolean {
  return isDeleted(event) || objectIn(event)?.metadata.deletionTimestamp !== undefined;
}

function isDeleted({ type }: RecordedEvent): boolean {
  return Object.hasOwn(eventTypes, type) && eventTypes[type] === 'deleted';
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
export function versionOf(event: RecordedEvent): Version | undefined {
  const { uid, resourceVersion } = objectIn(event)?.metadata ?? {};
  return uid === undefined || resourceVersion === undefined ? undefined : { uid, resourceVersion };
}

/** `<id>/<uid>` asks after one object, `<id>/step/2` goes on with a round of the resync. */
function idBefore(id: string): string | undefined {
  const [, round] = /^(.+?)(?:\/step\/\d+|\/[^/]+)$/.exec(id) ?? [];
  return round;
}

/** Milliseconds before an event in which the write is looked for that it may have come of. */
const reach = 60_000;

/**
 * The deliveries of the minute before. It begins and ends at full seconds, of which ten have the same, so that the events of a history
 * that came one after the other share a question.
 */
function justBefore(at: number): Parameters<Readable['deliveries']> {
  const until = (Math.floor(at / step) + 1) * step;
  const [since, end] = [until - step - reach, until].map((ms) => new Date(ms).toISOString());
  return [
    { since: since ?? '', until: end ?? '' },
    { order: 'newest-first', limit: 200 },
  ];
}

const step = 10_000;

/** In Reference mode an event has neither uid nor version: the last write of an object of that name is a guess. */
async function byName(log: Readable, event: RecordedEvent): Promise<readonly Omit<Cause, 'causes'>[]> {
  const { kind, namespace = '', name, recorded } = event;
  if (kind === undefined || name === undefined || !Object.hasOwn(eventTypes, event.type)) return [];
  const at = Date.parse(recorded);
  const found = (await log.deliveries(...justBefore(at))).filter((one) => Date.parse(one.at) <= at);
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
      by,
      function: delivery.function,
      delivery: delivery.seq,
      ...(write !== undefined && { write }),
      ...(event !== undefined && { event: briefOf(event) }),
    };
  });
  return Promise.all(causes);
}
