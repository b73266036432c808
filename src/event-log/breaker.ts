import { asKnudgeError, KnudgeError } from '../domain/errors.ts';

export interface BreakerParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs a task once, after so many milliseconds; gives the way to take that back. */
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onAway: (error: KnudgeError) => void;
  readonly onBack: () => void;
}

/**
 * Milliseconds. Behind a synchronous Broker every kind waits for the log: so much does not show beside a function that wakes,
 * and a disk that works needs less.
 */
const longestAppend = 100;

/** Milliseconds. A dead letter is the last word of the Broker, which has waited longer for the function. */
const longestLetter = 500;

/** Milliseconds. A store that failed is left alone for so long; then one write tries it, and all others are still refused. */
const rest = 1000;

/** Milliseconds. For so long nobody waits for a store that was late: one that is quick now and then would be waited for each time. */
const distrust = 5000;

/** How long a write is waited for: `shortly` not at all where the store was late before. */
type Wait = 'shortly' | 'longer';

/** What a work gives in time; rejects with `unavailable` where it does not, or was not tried at all. */
type Attempt = <Result>(work: () => Promise<Result>, wait: Wait) => Promise<Result>;

/** Waits for each write of a store as long as may be, and keeps those that come next from one that is slow or away. */
export function createBreaker({ now, after, onAway, onBack }: BreakerParts): Attempt {
  const state = { isAway: false, hasFailed: false, isTrying: false, restUntil: 0, lateUntil: 0, reason: '' };
  const away = (error: KnudgeError): void => {
    if (!state.isAway) onAway(error);
    state.isAway = true;
    state.reason = error.message;
  };
  const late = (error: KnudgeError): void => {
    away(error);
    state.lateUntil = now() + distrust;
  };
  const settle = (began: number): void => {
    state.hasFailed = false;
    if (now() - began > longestAppend) state.lateUntil = now() + distrust;
    if (!state.isAway || now() < state.lateUntil) return;
    state.isAway = false;
    onBack();
  };
  const fail = (error: KnudgeError): void => {
    // What is wrong with one event says nothing of the store.
    if (error.retry !== 'later') return;
    away(error);
    state.hasFailed = true;
    state.restUntil = now() + rest;
  };
  const watch = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const began = now();
    state.isTrying = true;
    try {
      const result = await work();
      settle(began);
      return result;
    } catch (thrown) {
      fail(asKnudgeError(thrown));
      throw thrown;
    } finally {
      state.isTrying = false;
    }
  };
  return async (work, wait) => {
    if (state.hasFailed && (state.isTrying || now() < state.restUntil)) {
      throw new KnudgeError('unavailable', state.reason);
    }
    const done = watch(work);
    if (state.isAway && wait === 'shortly') {
      done.catch(() => undefined);
      throw new KnudgeError('unavailable', state.reason);
    }
    return inTime(done, { patience: wait === 'shortly' ? longestAppend : longestLetter, after, onLate: late });
  };
}

interface InTime extends Pick<BreakerParts, 'after'> {
  readonly patience: number;
  readonly onLate: (error: KnudgeError) => void;
}

function inTime<Result>(work: Promise<Result>, { patience, after, onLate }: InTime): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = after(patience, () => {
    const late = new KnudgeError('unavailable', `the event log did not answer within ${patience} ms`);
    onLate(late);
    reject(late);
  });
  return Promise.race([work, promise]).finally(stop);
}
