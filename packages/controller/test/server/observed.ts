import { setImmediate } from 'node:timers/promises';
import { testTracer } from '../../../../test/build/tracer.ts';
import { reportInHeader } from '../../server/deliveries.ts';
import { traceEvents } from '../../server/event-trace.ts';
import { type Started, type StartParts, startApp } from './start.ts';

/** A server with traces and reports of deliveries on. */
export function startObserved(parts: StartParts = {}): Started & {
  /** How many events have a span that has ended. The client may have an answer before its end is known here: waits 5 s at most for this many. */
  readonly ended: (wanted: number) => Promise<number>;
} {
  const { tracer, spans } = testTracer();
  const started = startApp({
    traces: traceEvents(tracer, 0),
    report: reportInHeader({ instance: '7', epoch: Date.now }),
    ...parts,
  });
  const count = (): number => spans.filter(({ name }) => name.startsWith('process ')).length;
  const ended = async (wanted: number): Promise<number> => {
    for (const until = Date.now() + 5000; count() < wanted && Date.now() < until; ) await setImmediate();
    return count();
  };
  return { ...started, ended };
}

/** What is logged where something at the end of an answer throws. */
export const atEndFailed = 'the end of an answer failed';
