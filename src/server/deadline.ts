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
