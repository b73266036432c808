interface Numbered {
  readonly revision: number;
}

export interface History<Change extends Numbered> {
  add(change: Change): void;
  /** Every change after a revision; undefined if some of them are forgotten. */
  since(revision: number): readonly Change[] | undefined;
}

/** The last `size` changes after the revision `start`, in their order. */
export function createHistory<Change extends Numbered>(size: number, start: number): History<Change> {
  let changes: Change[] = [];
  let forgotten = start;
  return {
    add: (change) => {
      changes.push(change);
      if (changes.length > size) forgotten = changes[changes.length - size - 1]?.revision ?? forgotten;
      // Removed in bulk: a slice for each change would cost more than all the rest.
      if (changes.length > 2 * size) changes = changes.slice(-size);
    },
    since: (revision) => (revision < forgotten ? undefined : changes.slice(firstAfter(changes, revision))),
  };
}

function firstAfter(changes: readonly Numbered[], revision: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
