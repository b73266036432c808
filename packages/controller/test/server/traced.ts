import assert from 'node:assert/strict';
import type { event } from '../../../../test/build/event.ts';
import type { Tracer } from '../../domain/spans.ts';
import { traceEvents } from '../../server/event-trace.ts';
import type { Ended } from '../../traces/otlp.ts';
import { samplerOf } from '../../traces/sampler.ts';
import { createTracer } from '../../traces/tracer.ts';
import { post, type StartParts, startApp } from './start.ts';

export interface Tracing {
  readonly parts?: StartParts;
  /** Milliseconds for which the process has run before. */
  readonly age?: number;
  /** Called with the tracer before the event comes. */
  readonly prepare?: (tracer: Tracer) => void;
}

/** The spans of one event, and the line that is logged about it. */
export async function traced(built: ReturnType<typeof event>, { parts = {}, age = 60_000, prepare }: Tracing = {}) {
  const spans: Ended[] = [];
  const tracer = createTracer({
    sampler: samplerOf('parentbased_always_on', 1),
    now: Date.now,
    ended: (span) => spans.push(span),
  });
  prepare?.(tracer);
  const { app, lines, calls } = startApp({ ...parts, traces: traceEvents(tracer, Date.now() - age) });
  await post(app, built);
  const named = (name: string): Ended => {
    const found = spans.find((span) => span.name === name);
    assert.ok(found, `there is no span ${name} but ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };
  return { spans, named, line: lines[0] ?? {}, calls };
}
