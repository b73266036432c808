import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';

export interface BreakerParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs a task once, after this many milliseconds; returns the function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onAway: (error: KnudgeError) => void;
  readonly onBack: () => void;
}

/** Milliseconds. A store that failed gets no writes for this long; then one write tries it, and all others are still refused. */
const rest = 1000;

/** Milliseconds since a piece of work was given. */
export interface Patience {
  /** Work that has not begun by then is withdrawn. */
  readonly begun: number;
  /** Work that has begun is awaited until then. */
  readonly done: number;
}

/**
 * The result of a piece of work, if it comes in time. Rejects with `unavailable` if the work was not tried, was withdrawn or failed,
 * so nothing of it was kept, and with `outcome-unknown` if it had begun and did not end in time.
 */
type Attempt = <Result>(work: (withdrawn: AbortSignal) => Promise<Result>, patience: Patience) => Promise<Result>;

/** Bounds the wait for each write of a store, and stops using a store that fails. A write that has begun goes on and counts in the end. */
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
    // A fault of one event says nothing about the store.
    if (error.retry !== 'later') return;
    away(error);
    state.hasFailed = true;
    state.restUntil = now() + rest;
  };
  const watch = async <Result>(
    work: (withdrawn: AbortSignal) => Promise<Result>,
    withdrawn: AbortSignal,
  ): Promise<Result> => {
    state.isTrying = true;
    try {
      const result = await work(withdrawn);
      settle();
      return result;
    } catch (thrown) {
      // A withdrawn write did not fail: the store was busy with another.
      if (thrown !== withdrawn.reason) fail(asKnudgeError(thrown));
      throw thrown;
    } finally {
      state.isTrying = false;
    }
  };
  return async (work, patience) => {
    if (state.hasFailed && (state.isTrying || now() < state.restUntil)) {
      throw new KnudgeError('unavailable', state.reason);
    }
    const over = new AbortController();
    return inTime(watch(work, over.signal), { patience, after, over, onLate: away });
  };
}

interface InTime extends Pick<BreakerParts, 'after'> {
  readonly patience: Patience;
  readonly over: AbortController;
  readonly onLate: (error: KnudgeError) => void;
}

function inTime<Result>(work: Promise<Result>, { patience, after, over, onLate }: InTime): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const { begun, done } = patience;
  const stops = [
    after(begun, () => {
      const late = new KnudgeError('unavailable', `the event log did not answer within ${begun} ms`);
      onLate(late);
      over.abort(late);
    }),
    after(done, () => {
      const what = `the event log began to write and did not end within ${done} ms`;
      reject(new KnudgeError('outcome-unknown', `${what}: it may be kept or not`));
    }),
  ];
  return Promise.race([work, promise]).finally(() => {
    for (const stop of stops) stop();
  });
}
