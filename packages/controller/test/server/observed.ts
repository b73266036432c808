import { testTracer } from '../../../../test/build/tracer.ts';
import { reportInHeader } from '../../server/deliveries.ts';
import { traceEvents } from '../../server/event-trace.ts';
import { type Started, type StartParts, startApp } from './start.ts';

/** A server with traces and reports of deliveries on. */
export function startObserved(parts: StartParts = {}): Started & {
  /** How many events have a span that has ended. */
  readonly ended: () => number;
} {
  const { tracer, spans } = testTracer();
  const started = startApp({
    traces: traceEvents(tracer, 0),
    report: reportInHeader({ instance: '7', epoch: Date.now }),
    ...parts,
  });
  return { ...started, ended: () => spans.filter(({ name }) => name.startsWith('process ')).length };
}

/** What is logged where something at the end of an answer throws. */
export const atEndFailed = 'the end of an answer failed';
