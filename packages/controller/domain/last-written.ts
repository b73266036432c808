interface Entry {
  readonly manager?: string;
  readonly time?: string;
  readonly subresource?: string;
}

/**
 * Of `managedFields` the entries that may be the last write, in their order. The API server names times by the second: within one, a
 * status is written after what it is the status of.
 */
export function lastWritten<One extends Entry>(entries: readonly One[]): readonly One[] {
  const newest = entries.map(rankOf).toSorted().at(-1);
  return entries.filter((entry) => rankOf(entry) === newest);
}

/** To be compared as text. */
function rankOf({ time = '', subresource }: Entry): string {
  return `${time} ${subresource === 'status' ? 'later' : ''}`;
}
