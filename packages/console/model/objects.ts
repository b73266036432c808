import { fieldsOf, objectsIn, textsIn, writingsIn } from '../../controller/domain/from-outside.ts';
import { lastWriter } from '../../controller/domain/last-writer.ts';
import type { Writing } from '../../controller/domain/last-written.ts';
import { changesOf } from './changes.ts';
import type { RecordedEvent } from './types.ts';

interface Metadata {
  readonly resourceVersion?: string;
  readonly uid?: string;
  readonly managedFields: readonly Writing[];
  readonly ownerReferences: readonly { readonly uid?: unknown }[];
}

/** The metadata of the object in an event; a sender may write anything there, so what has another form counts as absent. */
export function metadataOf({ data }: Pick<RecordedEvent, 'data'>): Metadata {
  const metadata = fieldsOf(fieldsOf(data)['metadata']);
  return {
    ...textsIn(metadata, ['uid', 'resourceVersion']),
    managedFields: writingsIn(metadata['managedFields']),
    ownerReferences: objectsIn(metadata['ownerReferences']),
  };
}

/** Whether an event holds the object that it is about, and not what somebody sent by hand or cut off. */
export function hasObject(event: RecordedEvent): boolean {
  return metadataOf(event).uid !== undefined;
}

/**
 * The program that changed the object last, by its managed fields and by the event before it about the same object: `kubectl-patch`,
 * `knudge status`. Empty where nobody can know it, as where fields were only removed.
 */
export function managerOf(
  event: RecordedEvent,
  previous?: RecordedEvent,
  changes = previous && changesOf(previous.data, event.data),
): string {
  const { uid, managedFields } = metadataOf(event);
  const former = previous && metadataOf(previous);
  const known = former?.uid === uid ? { before: former?.managedFields, changed: changes?.map(({ path }) => path) } : {};
  const last = lastWriter(managedFields, known);
  return last === undefined ? '' : [last.manager, last.subresource].filter(Boolean).join(' ');
}

/** `Message default/hello`; empty where an event is about no object. */
export function objectOf({ kind, namespace, name }: Pick<RecordedEvent, 'kind' | 'namespace' | 'name'>): string {
  if (kind === undefined) return '';
  return `${kind} ${[namespace, name].filter(Boolean).join('/')}`;
}

/** The last word of a type: `update`. */
export function verbOf({ type }: Pick<RecordedEvent, 'type'>): string {
  return type.slice(type.lastIndexOf('.') + 1);
}
