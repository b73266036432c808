import type { Logger } from 'pino';
import type { Change, Received } from '../domain/change.ts';
import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import type { ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import { decode, type EventRequest } from '../wire/decode.ts';
import { toChange } from '../wire/to-change.ts';
import type { SenderCheck } from './check-sender.ts';
import type { Config } from './config.ts';
import { type After, withDeadline } from './deadline.ts';
import type { DryRuns } from './dry-runs.ts';
import type { Metrics } from './metrics.ts';
import { mergeOutcomes } from './outcomes.ts';
import type { Answer } from './respond.ts';
import { answerError, answerOutcome } from './respond.ts';

export interface HandleOptions {
  /** Decide, and write nothing: the outcome is `planned`. */
  readonly dryRun: boolean;
}

/** What a function does with an event. */
export type Reaction =
  | {
      readonly to: 'change';
      /** Does this function concern itself with such objects? What it does not take costs no read. */
      readonly takes: (ref: ObjectRef) => boolean;
      readonly handle: (change: Change, options: HandleOptions) => Promise<readonly Outcome[]>;
    }
  | {
      readonly to: 'event';
      /** The types that it takes; `every` also takes events whose data is no JSON, and then goes without. */
      readonly types: readonly string[] | 'every';
      readonly handle: (received: Received) => Promise<Outcome>;
    };

/** A reaction, and what is needed to say what came of it. */
export interface EventParts {
  /** Of the function, for its figures and the log. */
  readonly stem: string;
  readonly reaction: Reaction;
  readonly config: Pick<Config, 'handlerDeadlineSeconds'>;
  /** Absent: nobody is asked who sends. */
  readonly checkSender?: SenderCheck | undefined;
  readonly dryRuns: DryRuns;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'event'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly after: After;
}

/** A request whose body is still to be read; that may fail with a KnudgeError. */
export interface Incoming extends Pick<EventRequest, 'headers'> {
  readonly body: () => Promise<Buffer>;
}

/** What is known of an event so far, for the one line that is logged about it. */
interface Seen {
  received?: Received;
  change?: Change;
}

/** The answer to one event. Never throws: every failure is an answer, and one line of the log. */
export async function answerEvent(request: Incoming, options: HandleOptions, parts: EventParts): Promise<Answer> {
  const started = parts.now();
  const seen: Seen = {};
  try {
    const work = (): Promise<Outcome> => outcomeOf(request, options, { ...parts, seen });
    const outcome = await (options.dryRun ? parts.dryRuns(work) : work());
    parts.metrics.event(parts.stem, outcome.result);
    parts.log.info({ function: parts.stem, ...lineOf(seen, outcome, parts.now() - started) }, 'event handled');
    return answerOutcome(outcome);
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    parts.metrics.event(parts.stem, error.code);
    const line = lineOf(seen, { result: error.code }, parts.now() - started);
    logFailure(parts.log, error, { function: parts.stem, ...line });
    return answerError(error);
  }
}

async function outcomeOf(
  request: Incoming,
  options: HandleOptions,
  { reaction, config, checkSender, seen, after }: EventParts & { seen: Seen },
): Promise<Outcome> {
  await checkSender?.(request.headers['authorization']);
  const body = await request.body();
  const isAnyData = reaction.to === 'event' && reaction.types === 'every';
  seen.received = decode({ headers: request.headers, body }, isAnyData ? 'any data' : 'JSON alone');
  const work = reaction.to === 'change' ? onChange(reaction, options, seen) : onEvent(reaction, options, seen.received);
  return work === undefined ? ignored : withDeadline(work, config.handlerDeadlineSeconds, after);
}

function onChange(
  { takes, handle }: Extract<Reaction, { to: 'change' }>,
  options: HandleOptions,
  seen: Seen,
): Promise<Outcome> | undefined {
  const change = seen.received && toChange(seen.received);
  if (change === undefined) return undefined;
  seen.change = change;
  return takes(change.ref) ? handle(change, options).then(mergeOutcomes) : undefined;
}

function onEvent(
  { types, handle }: Extract<Reaction, { to: 'event' }>,
  { dryRun }: HandleOptions,
  received: Received,
): Promise<Outcome> | undefined {
  if (dryRun) {
    throw new KnudgeError('invalid-request', 'this function makes no plan that a dry run could show: leave dryRun out');
  }
  return types === 'every' || types.includes(received.type) ? handle(received) : undefined;
}

const ignored: Outcome = { result: 'ignored', reads: 0, writes: 0 };

type Line = Readonly<Record<string, string | number | undefined>>;

function lineOf(
  { received, change }: Seen,
  { result, reads, writes, events }: Partial<Omit<Outcome, 'result'>> & { readonly result: string },
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
    ...events,
    ms: Math.round(ms * 10) / 10,
  };
}

function logFailure(log: Logger, error: KnudgeError, line: Line): void {
  if (error.retry === 'bug') log.error({ ...line, err: error }, 'event failed');
  else log.warn({ ...line, error: error.message }, 'event not handled');
}
