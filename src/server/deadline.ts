import { KnudgeError } from '../domain/errors.ts';

/**
 * The same promise, but `unavailable` after so many seconds: an answer that comes after the sender's time-out is worth
 * less than one that asks for a new try. The work itself goes on and ends at its own preconditions.
 */
export function withDeadline<Value>(work: Promise<Value>, seconds: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new KnudgeError('unavailable', `not done within ${seconds} s: the next try goes on from what is true then`));
  }, seconds * 1000);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * How a function that sends events shares its deadline, in seconds: it begins new work for so long, and one event may
 * take so long, so that what began last still ends in time. Ten seconds are kept for that where there are enough.
 */
export function shareDeadline(seconds: number): { readonly workSeconds: number; readonly sendSeconds: number } {
  const margin = Math.min(10, seconds * 0.4);
  return { workSeconds: seconds - margin, sendSeconds: margin * 0.8 };
}
