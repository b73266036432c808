import { asKnudgeError, type KnudgeError } from '../../controller/domain/errors.ts';
import type { Clock } from './clock.ts';

/** Milliseconds before each further try of one event: a Broker that is away for a quarter of a minute is waited for. */
export const usualWaits: readonly number[] = [500, 1000, 2000, 4000, 8000];

/** Milliseconds. Whoever says `Retry-After: 3600` is better asked again by a person. */
const longestWait = 60_000;

export interface Persistence {
  readonly clock: Clock;
  readonly waits?: readonly number[];
  readonly signal?: AbortSignal;
  readonly onWait?: (error: KnudgeError, ms: number) => void;
}

/**
 * Does it, again after a wait where that makes sense: as long as was asked for (`Retry-After`), at least as the waits say.
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
