import { asKnudgeError, KnudgeError } from '../domain/errors.ts';

export interface BreakerParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs a task once, after so many milliseconds; gives the way to take that back. */
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onAway: (error: KnudgeError) => void;
  readonly onBack: () => void;
}

/** Milliseconds. A store that failed is left alone for so long; then one write tries it, and all others are still refused. */
const rest = 1000;

/** What a work gives within so many milliseconds; rejects with `unavailable` where it does not, or was not tried at all. */
type Attempt = <Result>(work: () => Promise<Result>, patience: number) => Promise<Result>;

/** Waits for each write of a store as long as may be, and leaves one alone that fails. A late write goes on, and counts when it is done. */
export function createBreaker({ now, after, onAway, onBack }: BreakerParts): Attempt {
  const state = { isAway: false, hasFailed: false, isTrying: false, restUntil: 0, reason: '' };
  const away = (error: KnudgeError): void => {
    if (!state.isAway) onAway(error);
    state.isAway = true;
    state.reason = error.message;
  };
  const settle = (): void => {
    state.hasFailed = false;
    if (!state.isAway) return;
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
    state.isTrying = true;
    try {
      const result = await work();
      settle();
      return result;
    } catch (thrown) {
      fail(asKnudgeError(thrown));
      throw thrown;
    } finally {
      state.isTrying = false;
    }
  };
  return async (work, patience) => {
    if (state.hasFailed && (state.isTrying || now() < state.restUntil)) {
      throw new KnudgeError('unavailable', state.reason);
    }
    return inTime(watch(work), { patience, after, onLate: away });
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
