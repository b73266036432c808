import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery } from '../mesh-spec.ts';
import type { Verdict } from './verdict.ts';

/** Waits this many milliseconds, or until the signal. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The same by the clock of this machine. */
export const waitFor: Sleep = async (ms, signal) => {
  try {
    await wait(ms, undefined, { signal });
  } catch {
    // Aborted: the caller checks the signal.
  }
};

/**
 * Tries again as the delivery asks until the event was taken, another try makes no sense, or no try is left;
 * returns the last verdict, or undefined if the signal ended it. `attempt` gets its number, from 1.
 */
export async function tryOften(
  attempt: (number: number) => Promise<Verdict>,
  delivery: Delivery,
  { sleep, signal }: { readonly sleep: Sleep; readonly signal: AbortSignal },
): Promise<Verdict | undefined> {
  for (let failed = 0; ; failed += 1) {
    const verdict = await attempt(failed + 1);
    if (verdict.kind === 'taken' || !verdict.again || failed >= delivery.retry) return verdict;
    await sleep(waitMs(delivery, failed), signal);
    if (signal.aborted) return undefined;
  }
}

/** Counted from 0, as the real Broker counts (measured): so the first wait of a linear backoff is 0. */
function waitMs({ backoff, backoffDelayMs }: Delivery, failed: number): number {
  switch (backoff) {
    case 'linear':
      return backoffDelayMs * failed;
    case 'exponential':
      return backoffDelayMs * 2 ** failed;
  }
}
