import type { Logger } from 'pino';
import type { Change, Received } from '../domain/change.ts';
import type { KnudgeError } from '../domain/errors.ts';
import type { Outcome } from '../domain/plan.ts';
import type { EventTrace } from './event-trace.ts';

/** What is known of an event so far, for the one line that is logged about it. */
export interface Seen {
  received?: Received;
  change?: Change;
  /** Absent where the event is in no trace. */
  traceId?: string;
  trace?: EventTrace | undefined;
}

type Line = Readonly<Record<string, string | number | undefined>>;

/** The fields of the one line that is logged about an event. */
export function lineOf(
  { received, change, traceId }: Seen,
  { result, reads, writes, events }: Partial<Omit<Outcome, 'result'>> & { readonly result: string },
  ms: number,
): Line {
  return {
    event: received?.id,
    // As OpenTelemetry names it in logs.
    trace_id: traceId,
    type: received?.type,
    verb: change?.verb,
    kind: change?.ref.kind,
    namespace: change?.ref.namespace,
    name: change?.ref.name,
    outcome: result,
    reads,
    writes,
    ...events,
    ms: Math.round(ms * 10) / 10,
  };
}

/**
 * Logs what came of an event. One that concerned nobody has its line at level debug: of a kind that others use too, such as Pods, nearly
 * every event is of that sort, and a line costs more than the event.
 */
export function logHandled(seen: Seen, outcome: Outcome, { log, stem, now, started }: Handled): void {
  const level = outcome.result === 'ignored' && (outcome.parents ?? []).length === 0 ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level]({ function: stem, ...lineOf(seen, outcome, now() - started) }, 'event handled');
}

/** By whom an event was handled, and since when, by the same clock. */
interface Handled {
  readonly log: Logger;
  readonly stem: string;
  readonly now: () => number;
  readonly started: number;
}

/** Logs a failure: with all that is known of it where it is a fault of Knudge. */
export function logFailure(log: Logger, error: KnudgeError, line: Line): void {
  if (error.retry === 'bug') log.error({ ...line, err: error }, 'event failed');
  else log.warn({ ...line, error: error.message }, 'event not handled');
}
