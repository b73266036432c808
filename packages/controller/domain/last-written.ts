import type { ManagedFieldsEntry } from './kube-object.ts';

/** What `managedFields` say of who wrote, without the fields. */
export type Writing = Pick<ManagedFieldsEntry, 'manager' | 'time' | 'subresource'>;

/**
 * Of `managedFields` the entries that may be the last write, in their order. The API server names times by the second. Of those within one it
 * is one that writes where the object differs from the version before it: `changed` has those places, as `/status/phase`. Where they
 * are not known, a status was written after what it is the status of.
 */
export function lastWritten<One extends Writing>(
  entries: readonly One[],
  changed: readonly string[] = [],
): readonly One[] {
  const newest = entries.map(timeOf).toSorted().at(-1);
  const together = entries.filter((entry) => timeOf(entry) === newest);
  const isStatus = changed.every((place) => place === '/status' || place.startsWith('/status/'));
  const apt = together.filter(({ subresource }) => (subresource === 'status') === isStatus);
  return apt.length > 0 ? apt : together;
}

function timeOf({ time = '' }: Writing): string {
  return time;
}
