/** The place up to which a watch is done: every event until that version was taken. */
export interface Mark {
  /** Says that an event of this version is under way; the returned function ends that. An empty version moves nothing on. */
  begin(version: string): () => void;
  /** Says that all events up to this version were begun. */
  pass(version: string): void;
  /** The version up to which all is done. */
  at(): string;
  /** The number of events that are under way or wait behind one that is. */
  waiting(): number;
}

interface Entry {
  readonly version: string;
  isDone: boolean;
}

/** Counts from a version on. An event that was done early counts when all before it are done too. */
export function keepMark(from: string): Mark {
  let entries: Entry[] = [];
  let head = 0;
  let version = from;
  const settle = (): void => {
    for (let entry = entries[head]; entry?.isDone === true; entry = entries[head]) {
      if (entry.version !== '') version = entry.version;
      head += 1;
    }
    if (head < entries.length && head < 1024) return;
    entries = entries.slice(head);
    head = 0;
  };
  return {
    begin: (of) => {
      const entry: Entry = { version: of, isDone: false };
      entries.push(entry);
      return () => {
        entry.isDone = true;
        settle();
      };
    },
    pass: (to) => {
      entries.push({ version: to, isDone: true });
      settle();
    },
    at: () => version,
    waiting: () => entries.length - head,
  };
}
