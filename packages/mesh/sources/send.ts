import { setTimeout as sleepFor } from 'node:timers/promises';
import type { CloudEvent } from '../cloud-event.ts';
import type { Report } from '../hop.ts';

/** The answer of the sink: 0 if there was none, and why. */
export interface SinkAnswer {
  readonly status: number;
  readonly why?: string;
  /** Set if some of the Triggers that want the event have it: it is not lost, and each of the others has reported its own failure. */
  readonly isTakenBySome?: true;
}

/** Sends one event to the sink, once. A rejection counts as no answer. */
export type Send = (event: CloudEvent) => Promise<SinkAnswer>;

interface Sending {
  readonly send: Send;
  readonly report: Report;
  /** The name of the source, for the reports. */
  readonly source: string;
  readonly signal: AbortSignal;
  /** Waits these milliseconds, or until the signal. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The statuses that the CloudEvents SDK retries (measured on Knative's sources); 0 is a broken connection. After a 500 it gives up. */
const retried = new Set([0, 404, 413, 425, 429, 502, 503, 504]);
/** 50 ms × 2^attempt, five times: 3.1 s in all. `Retry-After` is ignored. */
const waitsMs = [100, 200, 400, 800, 1600] as const;

/**
 * Sends an event as Knative's sources do: up to six tries with one id, and then it is lost, as it is when the source is
 * stopped. Never rejects.
 */
export async function sendWithRetries(event: CloudEvent, sending: Sending): Promise<void> {
  const { source, report, signal, sleep = wait } = sending;
  for (let attempts = 1; ; attempts += 1) {
    const { status, isTakenBySome, why = `the sink answered ${status}` } = await sendOnce(event, sending);
    if (isTakenBySome || (status >= 200 && status < 300))
      return report({ kind: 'sent', source, event, attempts, status });
    const ms = retried.has(status) ? waitsMs[attempts - 1] : undefined;
    if (ms === undefined) return report({ kind: 'lost', source, event, why });
    await sleep(ms, signal);
  }
}

/** Does not wait for a slow sink beyond the end of the source. */
async function sendOnce(event: CloudEvent, { send, signal }: Sending): Promise<SinkAnswer> {
  const { promise, resolve } = Promise.withResolvers<SinkAnswer>();
  const stop = () => resolve({ status: 0, why: 'the source was stopped' });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, signal.aborted ? promise : send(event)]);
  } catch (error) {
    return { status: 0, why: error instanceof Error ? error.message : 'no answer' };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits these milliseconds, or until the signal; never rejects. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, { signal }).catch(() => undefined);
}
