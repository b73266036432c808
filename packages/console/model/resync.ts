import type { Delivery, RecordedEvent } from './types.ts';

/** One round: a tick or a request, and the continuations that it brought. */
export interface Round {
  readonly seq: number;
  readonly began: string;
  readonly by: 'a tick' | 'a request';
  readonly ms: number;
  readonly pages: number;
  readonly asked: number;
  /** Whether the lists reach back to all of it, to its end and a part of its questions, or not that far. */
  readonly known: 'all' | 'part' | 'none';
}

/** A list that begins with the newest event; `next` where the log has older ones. */
interface Listed {
  readonly events: readonly RecordedEvent[];
  readonly next?: string;
}

/** What rounds are seen by; undefined where it has not been read. */
interface Lists {
  readonly ticks: Listed | undefined;
  /** Requests of a round, and continuations. */
  readonly pages: Listed | undefined;
  /** The questions after objects. */
  readonly asked: Listed | undefined;
}

/** The source of what the resync itself sends: a continuation, and the question after each object. */
const own = '/knudge/resync-due';

/** The rounds among ticks and continuations, newest first, with the objects that each asked after. */
export function roundsOf({ ticks, pages: due, asked }: Lists): readonly Round[] {
  const inOrder = [...(ticks?.events ?? []), ...(due?.events ?? [])].toSorted((one, other) => one.seq - other.seq);
  const beganFrom = Math.max(wholeFrom(ticks), wholeFrom(due));
  const askedFrom = wholeFrom(asked);
  const starts = inOrder.filter(({ source }) => source !== own);
  const rounds = starts.map((start, index) => {
    const end = starts[index + 1]?.seq ?? Number.POSITIVE_INFINITY;
    const isIn = ({ seq }: RecordedEvent): boolean => seq > start.seq && seq < end;
    const questions = (asked?.events ?? []).filter((event) => event.source === own && isIn(event));
    const pages = inOrder.filter(isIn);
    const last = Math.max(Date.parse(start.time), ...[...pages, ...questions].map(({ time }) => Date.parse(time)));
    const seen = start.seq >= beganFrom && questions.length > 0 ? 'part' : 'none';
    const known: Round['known'] = start.seq >= Math.max(beganFrom, askedFrom) ? 'all' : seen;
    const by: Round['by'] = start.type.endsWith('.ping') ? 'a tick' : 'a request';
    return {
      seq: start.seq,
      began: start.time,
      by,
      ms: last - Date.parse(start.time),
      pages: pages.length + 1,
      asked: questions.length,
      known,
    };
  });
  return rounds.toReversed();
}

/** The place from which on nothing is missing in a list. */
function wholeFrom(list: Listed | undefined): number {
  if (list === undefined) return Number.POSITIVE_INFINITY;
  return list.next === undefined ? 0 : (list.events.at(-1)?.seq ?? 0);
}

/** What a question of the resync made a function write: nothing but the resync had noticed that it was due. */
export function repairsOf(asked: readonly RecordedEvent[], deliveries: ReadonlyMap<number, readonly Delivery[]>) {
  return asked
    .filter(({ source }) => source === own)
    .flatMap((event) =>
      (deliveries.get(event.seq) ?? [])
        .filter(({ writes }) => writes > 0)
        .map((one) => ({ event, function: one.function, wrote: wroteOf(one) })),
    );
}

function wroteOf({ writes, written }: Delivery): string {
  const names = written.map((one) => `${one.do} ${one.kind} ${one.namespace}/${one.name}`);
  return names.length > 0 ? names.join(', ') : `${writes} objects`;
}
