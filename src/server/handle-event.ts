import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Change, Received } from '../domain/change.ts';
import type { KnudgeError } from '../domain/errors.ts';
import { asKnudgeError } from '../domain/errors.ts';
import type { ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import { decode } from '../wire/decode.ts';
import { toChange } from '../wire/to-change.ts';
import { readBody } from './body.ts';
import type { Config } from './config.ts';
import { withDeadline } from './deadline.ts';
import type { Metrics } from './metrics.ts';
import { mergeOutcomes } from './outcomes.ts';
import type { Answer } from './respond.ts';
import { answerError, answerOutcome } from './respond.ts';

export interface HandleOptions {
  /** Decide, and write nothing: the outcome is `planned`. */
  readonly dryRun: boolean;
}

/** What a function does with an event, and what it needs to say so. */
export interface EventParts {
  /** Does this function concern itself with such objects? What it does not take costs no read. */
  readonly takes: (ref: ObjectRef) => boolean;
  readonly handleEvent: (change: Change, options: HandleOptions) => Promise<readonly Outcome[]>;
  readonly config: Pick<Config, 'bodyLimitBytes' | 'handlerDeadlineSeconds'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'event'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** What is known of an event so far, for the one line that is logged about it. */
interface Seen {
  received?: Received;
  change?: Change;
}

/** The answer to one event. Never throws: every failure is an answer, and one line of the log. */
export async function answerEvent(
  request: IncomingMessage,
  options: HandleOptions,
  parts: EventParts,
): Promise<Answer> {
  const started = parts.now();
  const seen: Seen = {};
  try {
    const outcome = await outcomeOf(request, options, { ...parts, seen });
    parts.metrics.event(outcome.result);
    parts.log.info(lineOf(seen, outcome, parts.now() - started), 'event handled');
    return answerOutcome(outcome);
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    parts.metrics.event(error.code);
    logFailure(
      parts.log,
      error,
      lineOf(seen, { result: error.code, reads: undefined, writes: undefined }, parts.now() - started),
    );
    return answerError(error);
  }
}

async function outcomeOf(
  request: IncomingMessage,
  options: HandleOptions,
  { takes, handleEvent, config, seen }: EventParts & { seen: Seen },
): Promise<Outcome> {
  const body = await readBody(request, config.bodyLimitBytes);
  seen.received = decode({ headers: request.headers, body });
  const change = toChange(seen.received);
  if (change === undefined) return ignored;
  seen.change = change;
  if (!takes(change.ref)) return ignored;
  return mergeOutcomes(await withDeadline(handleEvent(change, options), config.handlerDeadlineSeconds));
}

const ignored: Outcome = { result: 'ignored', reads: 0, writes: 0 };

type Line = Readonly<Record<string, string | number | undefined>>;

function lineOf(
  { received, change }: Seen,
  { result, reads, writes }: { result: string; reads: number | undefined; writes: number | undefined },
  ms: number,
): Line {
  return {
    event: received?.id,
    type: received?.type,
    verb: change?.verb,
    kind: change?.ref.kind,
    namespace: change?.ref.namespace,
    name: change?.ref.name,
    outcome: result,
    reads,
    writes,
    ms: Math.round(ms * 10) / 10,
  };
}

function logFailure(log: Logger, error: KnudgeError, line: Line): void {
  if (error.retry === 'bug') log.error({ ...line, err: error }, 'event failed');
  else log.warn({ ...line, error: error.message }, 'event not handled');
}
