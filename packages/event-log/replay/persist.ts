import { asKnudgeError, type KnudgeError } from '../../controller/domain/errors.ts';
import type { Clock } from './clock.ts';

/** Milliseconds before each further try of one event: a Broker that is away is tried for a quarter of a minute. */
export const usualWaits: readonly number[] = [500, 1000, 2000, 4000, 8000];

/** Milliseconds. For a longer `Retry-After`, such as an hour, a person had better start the replay again. */
const longestWait = 60_000;

export interface Persistence {
  readonly clock: Clock;
  readonly waits?: readonly number[];
  readonly signal?: AbortSignal;
  readonly onWait?: (error: KnudgeError, ms: number) => void;
}

/**
 * Does the work, and again after a wait if that makes sense: as long as `Retry-After` asks for, at least as long as `waits` say.
 * Rejects with the KnudgeError of the last try; a wait that the signal ends is not followed by another try.
 */
export async function persist(work: () => Promise<void>, parts: Persistence): Promise<void> {
  const { clock, waits = usualWaits, signal, onWait } = parts;
  for (const usual of [...waits, undefined]) {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => asKnudgeError(thrown),
    );
    if (error === undefined) return;
    const ms = Math.max(usual ?? Number.POSITIVE_INFINITY, (error.retryAfterSeconds ?? 0) * 1000);
    if (error.retry !== 'later' || ms > longestWait || signal?.aborted) throw error;
    onWait?.(error, ms);
    await clock.sleep(ms, signal);
    if (signal?.aborted) throw error;
  }
}
