import type { Clock } from './clock.ts';

/**
 * Waits until the next one may go: so many a second, evenly. What was late is not made up for, so that nobody gets a burst.
 * Gives the function to be called before each.
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
