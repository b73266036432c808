import { randomUUID } from 'node:crypto';
import { Cron } from 'croner';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { CloudEvent } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { PingSpec } from '../mesh-spec.ts';
import { readSchedule } from './schedule.ts';
import { type Send, sendWithRetries, wait } from './send.ts';

export interface PingOptions {
  /** Sends an event to the sink of the source. */
  readonly send: Send;
  readonly report: Report;
  readonly now?: () => Date;
  readonly newId?: () => string;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Waits these milliseconds, or until the signal. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Knative spreads the ticks of all its PingSources over this. */
const spreadMs = 500;

/** Runs a PingSource until it is closed; throws `misuse` for a schedule that is not valid. */
export function startPingSource(spec: PingSpec, options: PingOptions): { close(): Promise<void> } {
  const schedule = readSchedule(spec.schedule, spec.timezone);
  if ('why' in schedule) throw new KnudgeError('misuse', `PingSource ${spec.name}: ${schedule.why}`);
  const { send, report, now = () => new Date(), newId = randomUUID, random = Math.random, sleep = wait } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const underWay = new Set<Promise<void>>();
  const tick = async (): Promise<void> => {
    await sleep(random() * spreadMs, signal);
    if (signal.aborted) return;
    const event = pingOf(spec, { id: newId(), time: now().toISOString() });
    await sendWithRetries(event, { send, report, source: spec.name, signal, sleep });
  };
  const { pattern, timezone } = schedule;
  const job = new Cron(pattern, { timezone, mode: '5-or-6-parts', sloppyRanges: true }, () => {
    const work = tick().finally(() => underWay.delete(work));
    underWay.add(work);
  });
  return {
    close: async () => {
      job.stop();
      ending.abort();
      await Promise.all(underWay);
    },
  };
}

/** One tick as Knative's PingSource sends it (recorded, June 2026): without a subject, the data as it is written. */
export function pingOf(
  { namespace, name, contentType, data, overrides }: PingSpec,
  { id, time }: { readonly id: string; readonly time: string },
): CloudEvent {
  return {
    attributes: {
      specversion: '1.0',
      type: 'dev.knative.sources.ping',
      id,
      source: `/apis/v1/namespaces/${namespace}/pingsources/${name}`,
      time,
      ...overrides,
    },
    ...(contentType !== undefined && data.length > 0 && { contentType }),
    data,
    headers: { 'kn-namespace': namespace },
  };
}
