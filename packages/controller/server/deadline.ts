import { KnudgeError } from '../domain/errors.ts';

/**
 * The same promise, but `unavailable` after this many seconds: an answer that comes after the sender's time-out is worth
 * less than one that asks for a new try. The work itself goes on and ends at its own preconditions. Work that waits for nothing
 * outside of this process is over before the next tick, and gets no timer.
 */
export async function withDeadline<Value>(work: Promise<Value>, seconds: number, after: After = timer): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  let isOver = false;
  let stop: (() => void) | undefined;
  process.nextTick(() => {
    if (isOver) return;
    stop = after(seconds * 1000, () => {
      const next = 'the next try goes on from what is true then';
      reject(new KnudgeError('unavailable', `not done within ${seconds} s: ${next}`));
    });
  });
  try {
    return await Promise.race([work, promise]);
  } finally {
    isOver = true;
    stop?.();
  }
}

/** Runs a task once, after this many milliseconds; gives the way to take that back. */
export type After = (ms: number, task: () => void) => () => void;

export const timer: After = (ms, task) => {
  const running = setTimeout(task, ms);
  return () => clearTimeout(running);
};

/**
 * How a function that sends events shares its deadline: for how many seconds it begins new work, and how many seconds one
 * event may take, so that what began last still ends in time. Ten seconds are kept for that where there are enough: a
 * synchronous Broker answers when a function that slept has started and has done its work.
 */
export function shareDeadline(seconds: number): { readonly workSeconds: number; readonly sendSeconds: number } {
  const margin = Math.min(10, seconds * 0.6);
  return { workSeconds: seconds - margin, sendSeconds: margin * 0.8 };
}
