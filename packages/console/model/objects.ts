import { lastWritten } from '../../controller/domain/last-written.ts';
import type { Change, RecordedEvent } from './types.ts';

interface Metadata {
  readonly resourceVersion?: string;
  readonly uid?: string;
  readonly managedFields?: readonly {
    readonly manager?: string;
    readonly time?: string;
    readonly subresource?: string;
  }[];
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[];
}

/** The metadata of the object in an event; empty where the event has no object. */
export function metadataOf({ data }: RecordedEvent): Metadata {
  const { metadata } = (typeof data === 'object' && data !== null ? data : {}) as { readonly metadata?: Metadata };
  return metadata ?? {};
}

/** Whether an event holds the object that it is about, and not what somebody sent by hand or cut off. */
export function hasObject(event: RecordedEvent): boolean {
  return metadataOf(event).uid !== undefined;
}

/**
 * The program that changed the object last, by its managed fields, and by what changed where that is known: `kubectl-patch`, `knudge status`.
 */
export function managerOf(event: RecordedEvent, changes: readonly Change[] = []): string {
  const changed = changes.map(({ path }) => path);
  const newest = lastWritten(metadataOf(event).managedFields ?? [], changed).at(-1);
  return newest === undefined ? '' : [newest.manager, newest.subresource].filter(Boolean).join(' ');
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
