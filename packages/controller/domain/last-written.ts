import type { ManagedFieldsEntry } from './kube-object.ts';

/** What `managedFields` say of who wrote. */
export type Writing = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'subresource' | 'time' | 'fieldsV1'>;

/**
 * Of `managedFields` the entries that may be the last write, in their order. The API server names times by the second. Of those within
 * one it is one that writes a status, or one that does not, where it is known which: else a status was written after what it is the
 * status of.
 */
export function lastWritten<One extends Writing>(entries: readonly One[], isOfStatus = true): readonly One[] {
  const newest = entries.map(timeOf).toSorted().at(-1);
  const together = entries.filter((entry) => timeOf(entry) === newest);
  const apt = together.filter(({ subresource }) => (subresource === 'status') === isOfStatus);
  return apt.length > 0 ? apt : together;
}

function timeOf({ time = '' }: Writing): string {
  return time;
}
