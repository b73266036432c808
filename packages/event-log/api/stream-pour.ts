import type { DeadLetter } from '../../controller/domain/event-log.ts';
import type { ChangedLetters, StreamSource } from './stream-sources.ts';

export interface PourParts {
  readonly sources: readonly StreamSource[];
  /** The place up to which each source was sent; moves on. */
  readonly at: number[];
  readonly letters: ChangedLetters;
  /** Whether somebody still takes it; asked before each item and each read. */
  readonly goesOn: () => boolean;
  /** Waits for the client. */
  readonly write: (text: string) => Promise<void>;
}

export interface Pouring {
  /** The line with the places, from which a client goes on. */
  place(): string;
  /** Sends all that is new, or as much of it as there is time for. */
  pour(): Promise<void>;
  /** Sends one thing. */
  tell(name: string, item: object): Promise<void>;
}

/** Items of one read: each may have 64 KiB, and they wait in memory until the client takes them. */
const atOnce = 20;

/** Sends what is new in each source, each thing once. */
export function pouring({ sources, at, letters, goesOn, write }: PourParts): Pouring {
  const place = (): string => `id: ${at.join('-')}\n`;
  const tell = (name: string, item: object): Promise<void> =>
    write(`${place()}event: ${name}\ndata: ${JSON.stringify(item)}\n\n`);
  /** False if nobody takes more. */
  const pourItem = async ({ name }: StreamSource, index: number, item: { readonly seq: number }): Promise<boolean> => {
    if (!goesOn()) return false;
    at[index] = item.seq;
    if (name === 'dead-letter') letters.sent(item as DeadLetter);
    await tell(name, item);
    return true;
  };
  const pourOne = async (source: StreamSource, index: number): Promise<void> => {
    const newest = await source.newest();
    while (goesOn() && newest > (at[index] ?? 0)) {
      const found = await source.read({ after: at[index] ?? 0, before: newest + 1 }, atOnce);
      for (const item of found) if (!(await pourItem(source, index, item))) return;
      // What the filter leaves out is passed by.
      if (found.length < atOnce) at[index] = newest;
    }
  };
  return {
    place,
    tell,
    pour: async () => {
      for (const [index, source] of sources.entries()) await pourOne(source, index);
      if (!goesOn()) return;
      const reached = at[sources.findIndex(({ name }) => name === 'dead-letter')] ?? 0;
      for (const letter of await letters.look(reached)) await tell('dead-letter', letter);
    },
  };
}
