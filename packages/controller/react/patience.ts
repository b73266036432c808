import { asKnudgeError, KnudgeError } from '../domain/errors.ts';

/** What is done for a key, and how it is known afterwards that it asked for too much. */
interface Work<Result> {
  readonly isSpent: () => boolean;
  readonly run: () => Promise<Result>;
}

export type Patience = <Result>(key: string, work: Work<Result>) => Promise<Result>;

/**
 * This many refusals are kept. Where one more comes, the oldest is forgotten: the next event with its key is worked on again, and may
 * use up its budget once more.
 */
const mostTold = 1000;

/**
 * An event that cost too much gets the same refusal again for a minute, at no cost: a Broker ignores `Retry-After` and sends it
 * again within the second.
 */
export function keepPatience(elapsed: () => number): Patience {
  const told = new Map<string, { readonly until: number; readonly error: KnudgeError }>();
  return async (key, { isSpent, run }) => {
    const before = told.get(key);
    if (before !== undefined) {
      const seconds = Math.ceil((before.until - elapsed()) / 1000);
      const { code, message } = before.error;
      if (seconds > 0) throw new KnudgeError(code, message, { retryAfterSeconds: seconds });
      told.delete(key);
    }
    try {
      return await run();
    } catch (thrown) {
      const error = asKnudgeError(thrown);
      const { retryAfterSeconds = 0 } = error;
      if (isSpent()) told.set(key, { until: elapsed() + retryAfterSeconds * 1000, error });
      const [oldest] = told.keys();
      if (told.size > mostTold && oldest !== undefined) told.delete(oldest);
      throw error;
    }
  };
}
