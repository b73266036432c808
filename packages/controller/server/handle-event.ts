import type { Logger } from 'pino';
import type { Change, Received } from '../domain/change.ts';
import { reconciledType, type Tried } from '../domain/delivery.ts';
import { asKnudgeError, type ErrorCode, KnudgeError } from '../domain/errors.ts';
import type { ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { Traced } from '../domain/spans.ts';
import { contextOfEvent } from '../traces/context.ts';
import { decode, type EventRequest } from '../wire/decode.ts';
import { toChange } from '../wire/to-change.ts';
import type { SenderCheck } from './check-sender.ts';
import type { Config } from './config.ts';
import { type After, withDeadline } from './deadline.ts';
import { type Gathered, gather, type Reporter } from './deliveries.ts';
import type { DryRuns } from './dry-runs.ts';
import { lineOf, logFailure, logHandled, type Seen } from './event-line.ts';
import type { AnsweredEvent, EventTracer } from './event-trace.ts';
import type { Metrics } from './metrics.ts';
import { mergeOutcomes } from './outcomes.ts';
import type { Answer } from './respond.ts';
import { answerError, answerOutcome } from './respond.ts';

export interface HandleOptions {
  /** Decide, and write nothing: the outcome is `planned`. */
  readonly dryRun: boolean;
  /** Gets what came of each write for the event; absent where nobody reports it. */
  readonly note?: (tried: Tried) => void;
  /** The span of the event; absent where nothing is traced. */
  readonly traced?: Traced | undefined;
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
  /** If absent, no sender has to show a token. */
  readonly checkSender?: SenderCheck | undefined;
  readonly dryRuns: DryRuns;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'event'>;
  /** Reports what became of each event; if absent, nobody asked for it. */
  readonly report?: Reporter | undefined;
  /** If absent, nothing is traced. */
  readonly traces?: EventTracer | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly after: After;
}

/** A request whose body is still to be read; that may fail with a KnudgeError. */
export interface Incoming extends Pick<EventRequest, 'headers'> {
  readonly body: () => Promise<Buffer>;
}

/** The answer to one event. Never throws: every failure is an answer, and one line of the log. */
export async function answerEvent(request: Incoming, options: HandleOptions, parts: EventParts): Promise<Answer> {
  const started = parts.now();
  const seen: Seen = {};
  const reported = reporting(seen, { ...parts, started });
  const isReported = reported !== undefined && !options.dryRun;
  try {
    const how = isReported ? { ...options, note: reported.note } : options;
    const work = (): Promise<Outcome> => outcomeOf(request, how, { ...parts, seen, started });
    const outcome = await (options.dryRun ? parts.dryRuns(work) : work());
    if (outcome.result === 'ignored') leaveOut(seen);
    parts.metrics.event(parts.stem, outcome.result);
    logHandled(seen, outcome, { ...parts, started });
    const answer = answerOutcome(outcome);
    const told = isReported ? reported.as(outcome.result, outcome, answer) : answer;
    return traced(seen, told, { outcome: outcome.result, counts: outcome });
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    parts.metrics.event(parts.stem, error.code);
    const line = lineOf(seen, { result: error.code }, parts.now() - started);
    logFailure(parts.log, error, { function: parts.stem, ...line });
    const answer = answerError(error);
    const counts = error.counts ?? {};
    const told = isReported ? reported.as(error.code, counts, answer) : answer;
    return traced(seen, told, { outcome: error.code, counts, error: error.message });
  }
}

/** An event that concerned nobody is not sent as a trace of its own: most events are of that kind. */
function leaveOut(seen: Seen): void {
  if (seen.trace?.isAlone !== true) return;
  seen.trace = undefined;
  delete seen.traceId;
}

function traced({ trace, change }: Seen, answer: Answer, how: AnsweredEvent): Answer {
  return trace === undefined ? answer : trace.answered(answer, { ...how, change });
}

/** The way to report an event; undefined where nobody asked for it. What was no event, or is a report itself, is not reported. */
function reporting(
  seen: Seen,
  {
    report,
    stem,
    reaction,
    now,
    started,
  }: Pick<EventParts, 'report' | 'stem' | 'reaction' | 'now'> & {
    readonly started: number;
  },
) {
  if (report === undefined) return undefined;
  const gathered: Gathered = { written: [], unlisted: 0, inVain: 0 };
  const reportIt = report();
  return {
    note: (tried: Tried): void => gather(gathered, tried),
    as: (outcome: Outcome['result'] | ErrorCode, counts: Partial<Outcome>, answer: Answer): Answer => {
      const { received, traceId } = seen;
      // What became of a report is not reported, or it would never end.
      if (received === undefined || received.type === reconciledType) return answer;
      const { id, source } = received;
      const { reads = 0, writes = 0, parents = [] } = counts;
      const known = { event: { id, source }, function: stem, outcome, ms: now() - started, traceId };
      return reportIt({ ...known, reads, writes, parents, ...(reaction.to === 'change' && { gathered }) }, answer);
    },
  };
}

async function outcomeOf(
  request: Incoming,
  options: HandleOptions,
  parts: EventParts & { readonly seen: Seen; readonly started: number },
): Promise<Outcome> {
  const { reaction, config, checkSender, seen, after } = parts;
  await checkSender?.(request.headers['authorization']);
  const body = await request.body();
  const isAnyData = reaction.to === 'event' && reaction.types === 'every';
  const received = decode({ headers: request.headers, body }, isAnyData ? 'any data' : 'JSON alone');
  seen.received = received;
  noteTrace(request, received, parts);
  const how = seen.trace === undefined ? options : { ...options, traced: seen.trace };
  const work = reaction.to === 'change' ? onChange(reaction, how, seen) : onEvent(reaction, how, received);
  return work === undefined ? ignored : withDeadline(work, config.handlerDeadlineSeconds, after);
}

/** The trace of the event, also where others alone record it. */
function noteTrace(
  { headers }: Incoming,
  received: Received,
  { seen, started, traces, stem, now }: EventParts & { readonly seen: Seen; readonly started: number },
): void {
  seen.trace = traces?.begin({ received, headers, stem, ageMs: now() - started });
  const id = seen.trace?.span.context.traceId ?? contextOfEvent(headers, received.extensions).parent?.traceId;
  if (id !== undefined) seen.traceId = id;
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
