import type { Clock } from './clock.ts';

/**
 * Waits until the next event may go: this many a second, evenly. Lost time is not made up for, so no burst follows.
 * Returns the function to call before each event.
 */
export function createPace(perSecond: number, { now, sleep }: Clock): (signal?: AbortSignal) => Promise<void> {
  const interval = 1000 / perSecond;
  let due = now();
  return async (signal) => {
    const early = due - now();
    if (early > 0) await sleep(early, signal);
    due = Math.max(due + interval, now());
  };
}
