import type { DeadLetter, EventFilter, LogReader } from '../../controller/domain/event-log.ts';

/** One sort of things in the log that a stream sends, each with a place of its own numbering. */
export interface StreamSource {
  /** The name of its Server-Sent Events. */
  readonly name: string;
  /** The place of the newest; 0: there is nothing. */
  newest(): Promise<number>;
  /** Those between two places that the filter selects, oldest first. */
  read(between: { readonly after: number; readonly before: number }, limit: number): Promise<readonly Placed[]>;
}

interface Placed {
  readonly seq: number;
}

type Log = Pick<LogReader, 'events' | 'deadLetters'>;

/** The sources of a stream in the order in which its ids name their places. A new one goes to the end. */
export function sourcesOf(log: Log, filter: EventFilter): readonly StreamSource[] {
  return [sourceOf('event', log.events, filter), sourceOf('dead-letter', log.deadLetters, filter)];
}

function sourceOf(
  name: string,
  read: (
    filter: EventFilter,
    page: { order: 'newest-first' | 'oldest-first'; limit: number },
  ) => Promise<readonly Placed[]>,
  filter: EventFilter,
): StreamSource {
  return {
    name,
    newest: async () => (await read({}, { order: 'newest-first', limit: 1 }))[0]?.seq ?? 0,
    read: (between, limit) => read({ ...filter, ...between }, { order: 'oldest-first', limit }),
  };
}

/** Milliseconds: how far back a look goes, since the clocks of several processes differ. */
const overlap = 5000;

/** The most dead letters of one look. */
const most = 100;

/** Dead letters that came once more, or whose state somebody has changed; they keep their place, so no place shows it. */
export interface ChangedLetters {
  /** Those up to this place that are not as they were at the last look: a later one is new, and comes by its place. */
  look(upTo: number): Promise<readonly DeadLetter[]>;
  /** Somebody has changed the state of this one. */
  marked(seq: number): void;
  /** This one was sent as it is now. */
  sent(letter: DeadLetter): void;
}

/** Watches the dead letters up to now; what is there at the beginning is not reported. */
export async function watchLetters(log: Log, filter: EventFilter, now: () => number): Promise<ChangedLetters> {
  const known = new Map<number, string>();
  const marked = new Set<number>();
  const note = (letter: DeadLetter): void => {
    known.delete(letter.seq);
    known.set(letter.seq, stateOf(letter));
    const [oldest] = known.keys();
    if (known.size > 10 * most && oldest !== undefined) known.delete(oldest);
  };
  const read = async (): Promise<readonly DeadLetter[]> => {
    const since = new Date(now() - overlap).toISOString();
    return log.deadLetters({ ...filter, since }, { order: 'newest-first', limit: most });
  };
  const readMarked = async (seq: number): Promise<readonly DeadLetter[]> =>
    log.deadLetters({ ...filter, after: seq - 1, before: seq + 1 }, { order: 'newest-first', limit: 1 });
  for (const letter of await read()) note(letter);
  return {
    look: async (upTo) => {
      const seqs = [...marked];
      marked.clear();
      const found = [...(await read()), ...(await Promise.all(seqs.map(readMarked))).flat()];
      const changed = found.filter((letter) => letter.seq <= upTo && known.get(letter.seq) !== stateOf(letter));
      const once = new Map(changed.map((letter) => [letter.seq, letter]));
      for (const letter of once.values()) note(letter);
      return [...once.values()].sort((one, other) => one.seq - other.seq);
    },
    marked: (seq) => void (marked.size < most && marked.add(seq)),
    sent: note,
  };
}

function stateOf({ times, state, note = '' }: DeadLetter): string {
  return `${times} ${state} ${note}`;
}
