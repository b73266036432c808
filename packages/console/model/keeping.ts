import type { Delivery } from './types.ts';

/** The most events of which a page keeps what came of them, however long it stays open: all that a list holds, and what one question brings. */
export const mostKept = 25_000;

/** Drops from a map the entries that came first, where it has more than this many. */
export function trim(map: Map<number, unknown>, most = mostKept): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/**
 * The tries of each event with some more, which begin with the newest; the same map where it has all of them. It leaves out those whose event
 * the log no longer has.
 */
export function keptWith(
  known: ReadonlyMap<number, readonly Delivery[]>,
  rows: readonly Delivery[],
  most = mostKept,
): ReadonlyMap<number, readonly Delivery[]> {
  const news = rows.filter((row) => row.event !== 0 && !known.get(row.event)?.some(({ seq }) => seq === row.seq));
  if (news.length === 0) return known;
  const next = new Map(known);
  for (const row of news.toReversed()) next.set(row.event, [...(next.get(row.event) ?? []), row]);
  trim(next, most);
  return next;
}
