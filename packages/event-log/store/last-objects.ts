import { eventTypes } from '../../controller/domain/change.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { groupOf, type KubeObject, type ObjectRef, refOf } from '../../controller/domain/kube-object.ts';
import { notKept } from '../../controller/domain/redact-text.ts';
import { lastApplied } from './redact.ts';

export interface LastObjects {
  /** Objects as a user would have written them: without status and without fields that only the API server sets. */
  readonly objects: readonly KubeObject[];
  /** Objects with a text that the log does not keep. */
  readonly incomplete: readonly ObjectRef[];
}

/** What is known about a name: the newest object that had it. */
interface Known {
  readonly uid: string | undefined;
  readonly created: string;
  readonly version: bigint | undefined;
  /** Absent if the object is deleted or on its way out. */
  readonly object?: KubeObject;
}

/**
 * The last state of each object that the events show whole, ordered by kind and name, without those that were deleted.
 * An event that came late changes nothing.
 */
export async function lastObjects(events: AsyncIterable<RecordedEvent>): Promise<LastObjects> {
  const known = new Map<string, Known>();
  for await (const event of events) {
    const { kind = '', namespace = '', name = '' } = event;
    const key = JSON.stringify([kind, namespace, name]);
    const next = advance(known.get(key), event);
    if (next !== undefined) known.set(key, next);
  }
  const left = [...known].sort(([one], [other]) => (one < other ? -1 : 1));
  const objects = left.flatMap(([, { object }]) => (object === undefined ? [] : [asWritten(object)]));
  const isWhole = (object: KubeObject): boolean => !JSON.stringify(object).includes(notKept);
  return { objects: objects.filter(isWhole), incomplete: objects.filter((one) => !isWhole(one)).map(refOf) };
}

function advance(known: Known | undefined, { type, data }: RecordedEvent): Known | undefined {
  const verb = Object.hasOwn(eventTypes, type) ? eventTypes[type] : undefined;
  const object = objectIn(data);
  if (verb === undefined || verb === 'requested') return known;
  // In Reference mode there is no object: what was known is used until the object is deleted.
  if (object === undefined) return verb === 'deleted' ? gone(known) : known;
  const { uid, resourceVersion = '', creationTimestamp: created = '', deletionTimestamp } = object.metadata;
  const version = /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
  const next = { uid, created, version };
  if (known !== undefined && isLate(next, known)) return known;
  return verb === 'deleted' || deletionTimestamp !== undefined ? next : { ...next, object };
}

function gone(known: Known | undefined): Known | undefined {
  return known && { uid: known.uid, created: known.created, version: known.version };
}

function isLate(next: Known, known: Known): boolean {
  const isOlder = next.version !== undefined && known.version !== undefined && next.version < known.version;
  // Versions of two clusters cannot be compared, and creation times have whole seconds.
  if (next.uid !== known.uid) return next.created < known.created || (next.created === known.created && isOlder);
  return known.object === undefined || isOlder;
}

function objectIn(data: unknown): KubeObject | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { apiVersion, kind, metadata } = data as Readonly<Record<string, { readonly name?: unknown } | undefined>>;
  const texts: readonly unknown[] = [apiVersion, kind, metadata?.name];
  return texts.every((one) => typeof one === 'string') ? (data as KubeObject) : undefined;
}

/**
 * Without owners: an owner of another cluster does not exist here, and the garbage collector would delete the object. Without the
 * finalizers of the object's own group: the controller of its kind puts them there.
 */
function asWritten(found: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = found as KubeObject & { readonly status?: unknown };
  const { status: _, ...written } = rest;
  const { name, namespace, labels } = metadata;
  const { [lastApplied]: __, ...annotations } = metadata.annotations ?? {};
  // The sender of the event may have written anything there.
  const given: readonly unknown[] = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
  const finalizers = given.filter(
    (one): one is string => typeof one === 'string' && !one.startsWith(`${groupOf(apiVersion)}/`),
  );
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(finalizers.length > 0 && { finalizers }),
    },
    ...written,
  };
}
