import type { Delivery, RecordedEvent } from './types.ts';

/** One round: a tick or a request, and the continuations that it brought. */
export interface Round {
  readonly seq: number;
  readonly began: string;
  readonly by: 'a tick' | 'a request';
  readonly ms: number;
  readonly pages: number;
  readonly asked: number;
}

/** The source of what the resync itself sends: a continuation, and the question after each object. */
const own = '/knudge/resync-due';

/** The rounds among ticks and continuations, newest first, with the objects that each asked after. */
export function roundsOf(began: readonly RecordedEvent[], asked: readonly RecordedEvent[]): readonly Round[] {
  const inOrder = began.toSorted((one, other) => one.seq - other.seq);
  const starts = inOrder.filter(({ source }) => source !== own);
  const rounds = starts.map((start, index) => {
    const end = starts[index + 1]?.seq ?? Number.POSITIVE_INFINITY;
    const isIn = ({ seq }: RecordedEvent): boolean => seq > start.seq && seq < end;
    const questions = asked.filter((event) => event.source === own && isIn(event));
    const pages = inOrder.filter(isIn);
    const last = Math.max(Date.parse(start.time), ...[...pages, ...questions].map(({ time }) => Date.parse(time)));
    const by: Round['by'] = start.type.endsWith('.ping') ? 'a tick' : 'a request';
    return {
      seq: start.seq,
      began: start.time,
      by,
      ms: last - Date.parse(start.time),
      pages: pages.length + 1,
      asked: questions.length,
    };
  });
  return rounds.toReversed();
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
