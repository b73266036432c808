import { hostname } from 'node:os';
import type { Tracer } from '../controller/domain/spans.ts';
import type { Config } from '../controller/server/config.ts';
import type { After } from '../controller/server/deadline.ts';
import { type EventTracer, traceEvents } from '../controller/server/event-trace.ts';
import type { createLog } from '../controller/server/log.ts';
import type { Metrics } from '../controller/server/metrics.ts';
import type { TracesConfig } from '../controller/server/traces-config.ts';
import { keepClock } from '../controller/traces/clock.ts';
import { createExporter } from '../controller/traces/export.ts';
import { samplerOf } from '../controller/traces/sampler.ts';
import { createTracer } from '../controller/traces/tracer.ts';
import { version } from './version.ts';

export interface TracingParts {
  readonly config: Pick<Config, 'traces'>;
  readonly log: Pick<ReturnType<typeof createLog>, 'warn'>;
  readonly metrics: Pick<Metrics, 'spans'>;
  readonly after: After;
  /** Milliseconds since this process began. */
  readonly now: () => number;
}

/** What traces the events of this process, and what sends the last spans; nothing where the environment names no collector. */
function tracingOf({ config: { traces }, log, metrics, after, now }: TracingParts): {
  readonly traces?: EventTracer;
  readonly flush?: () => Promise<void>;
} {
  if (traces === undefined) return {};
  const { endpoint: collector } = traces;
  const { tracer, flush } = startTracer(traces, {
    after,
    now,
    counted: metrics.spans,
    trouble: (reason, spans) => log.warn({ collector, reason, spans }, 'spans lost'),
  });
  return { traces: traceEvents(tracer, tracer.now() - now()), flush };
}

interface TracerParts extends Pick<TracingParts, 'after' | 'now'> {
  readonly counted: Metrics['spans'];
  /** Called when spans are lost, once until the reason changes. */
  readonly trouble: (reason: string, spans: number) => void;
}

/** A tracer of this process whose spans go to a collector. */
export function startTracer(
  { endpoint, headers, service, sampler, ratio }: TracesConfig,
  { after, now, counted, trouble }: TracerParts,
): { readonly tracer: Tracer; readonly flush: () => Promise<void> } {
  let why = '';
  const { add, flush } = createExporter({
    endpoint,
    headers,
    service,
    version,
    after,
    instance: `${hostname()}/${String(process.pid)}`,
    sent: (spans) => {
      why = '';
      counted('sent', spans);
    },
    lost: (spans, reason) => {
      counted('lost', spans);
      if (reason !== why) trouble(reason, spans);
      why = reason;
    },
  });
  const sampling = samplerOf(sampler, ratio);
  return { tracer: createTracer({ sampler: sampling, now: keepClock(Date.now, now), ended: add }), flush };
}

interface AtEnd {
  readonly atEnd?: () => Promise<void>;
}

/** What a process is served with, and that its events are traced, where that is wanted. */
export function traced<Served extends AtEnd>(
  served: Served,
  parts: TracingParts,
): Served & AtEnd & { readonly traces?: EventTracer } {
  const { traces, flush } = tracingOf(parts);
  if (traces === undefined || flush === undefined) return served;
  const { atEnd } = served;
  return {
    ...served,
    traces,
    atEnd: async () => {
      await Promise.all([atEnd?.(), flush()]);
    },
  };
}
