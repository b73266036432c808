import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered } from './clients.ts';

/** What came of one new connection. */
export interface Seen {
  /** Milliseconds of performance.now(), when it was begun. */
  readonly at: number;
  readonly answered: Answered;
}

export interface Traffic {
  readonly seen: readonly Seen[];
  /** Ends it, and gives what has failed. */
  stop(): Promise<readonly string[]>;
}

/** Milliseconds: a test that failed before it ended its traffic keeps the others waiting no longer. */
const longestMs = 240_000;

/** Asks until it is stopped, this many at once, each with a short rest between two. */
export function startTraffic(ask: () => Promise<Answered>, { atOnce = 4, restMs = 5 } = {}): Traffic {
  const seen: Seen[] = [];
  let stopped = false;
  const end = performance.now() + longestMs;
  const work = async (): Promise<void> => {
    while (!stopped && performance.now() < end) {
      const at = performance.now();
      const answered = await ask();
      seen.push({ at, answered });
      await sleep(restMs);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, work));
  return {
    seen,
    stop: async () => {
      stopped = true;
      await all;
      return seen.flatMap(({ answered }) => ('failed' in answered ? [answered.failed] : []));
    },
  };
}

/** Of the answers of one backend: when the first was asked for after a moment, and the last; in milliseconds after it. */
export function spanOf(seen: readonly Seen[], by: string, since: number): { first: number; last: number } {
  const times = seen.flatMap(({ at, answered }) =>
    at >= since && 'by' in answered && answered.by === by ? [at - since] : [],
  );
  return { first: Math.min(...times), last: Math.max(0, ...times) };
}
