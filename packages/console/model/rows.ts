import type { Gap, RecordedEvent } from './types.ts';

/** A row of the list of events: an event, or what is missing between two of them. */
export type Row = { readonly row: 'event'; readonly event: RecordedEvent } | { readonly row: 'gap'; readonly gap: Gap };

/** Events, newest first, with each gap at its place in time; gaps outside of what is listed are left out. */
export function rowsOf(events: readonly RecordedEvent[], gaps: readonly Gap[]): readonly Row[] {
  const oldest = events.at(-1)?.time ?? '';
  const open = gaps.filter(({ to }) => to >= oldest).toSorted((one, other) => other.to.localeCompare(one.to));
  const rows: Row[] = [];
  for (const event of events) {
    while (open[0] !== undefined && open[0].to >= event.time) rows.push({ row: 'gap', gap: open.shift() as Gap });
    rows.push({ row: 'event', event });
  }
  return [...rows, ...open.map((gap): Row => ({ row: 'gap', gap }))];
}

/**
 * The events of a tail, which holds at most this many, that a list has not taken, which has all up to this place. Undefined where the tail
 * does not reach back to there: it was cut meanwhile.
 */
export function newsIn(
  tail: readonly RecordedEvent[],
  { taken, most }: { readonly taken: number | undefined; readonly most: number },
): readonly RecordedEvent[] | undefined {
  if (taken === undefined) return tail;
  const isCut = tail.length >= most && (tail.at(-1)?.seq ?? 0) > taken + 1;
  return isCut ? undefined : tail.filter(({ seq }) => seq > taken);
}

/** New events in front of known ones: each place in the log once, newest first, at most this many. */
export function mergedWith(
  known: readonly RecordedEvent[],
  news: readonly RecordedEvent[],
  most = 20_000,
): readonly RecordedEvent[] {
  const top = known[0]?.seq ?? -1;
  const isInOrder = news.every(({ seq }) => seq > top);
  const fresh = news.toSorted((one, other) => other.seq - one.seq);
  if (isInOrder) return [...fresh, ...known].slice(0, most);
  const all = new Map([...known, ...news].map((event) => [event.seq, event]));
  return [...all.values()].toSorted((one, other) => other.seq - one.seq).slice(0, most);
}
