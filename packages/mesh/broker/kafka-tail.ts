import type { Stored } from './kafka-store.ts';

/** The newest events of one partition: a consumer that keeps up reads them without a query to the database. */
export interface Tail {
  push(stored: Stored): void;
  /** Events after an offset, oldest first; undefined if the tail does not reach back that far. */
  after(offset: number, limit: number): readonly Stored[] | undefined;
}

const mostEvents = 128;
const mostBytes = 2 * 1024 * 1024;

/** An empty tail of a partition whose newest event has this offset, or a smaller one. */
export function createTail(latest: number): Tail {
  const events: Stored[] = [];
  let bytes = 0;
  let reachesTo = latest;
  return {
    push: (stored) => {
      events.push(stored);
      bytes += stored.event.data.length;
      while (events.length > mostEvents || bytes > mostBytes) {
        const oldest = events.shift();
        if (oldest === undefined) return;
        bytes -= oldest.event.data.length;
        reachesTo = oldest.offset;
      }
    },
    after: (offset, limit) => {
      if (offset < reachesTo) return undefined;
      let from = events.length;
      while (from > 0 && (events[from - 1]?.offset ?? 0) > offset) from -= 1;
      return events.slice(from, from + limit);
    },
  };
}
