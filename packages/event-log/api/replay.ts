import type { Outgoing } from '../../controller/domain/change.ts';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetter, EventLog, LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { type Clock, realClock } from '../replay/clock.ts';
import { readOldestFirst, type Selection, untilNow, withoutTicks } from '../replay/read.ts';
import { type ReplayResult, replay } from '../replay/replay.ts';
import { type ReplayOrder, readOrder } from './read-order.ts';
import { answerJson, type LogAnswer, type LogRequest } from './request.ts';
import { sendAgain } from './send-again.ts';

export interface ReplayWith {
  readonly log: LogReader & Pick<EventLog, 'mark'>;
  readonly send: (event: Outgoing) => Promise<void>;
  readonly clock?: Clock;
}

/** Milliseconds. After this time a replay starts no further send, and its answer says how to go on: the client waits at most ten seconds (packages/controller/server/handle-paths.ts). */
const workMs = 6000;

/** Milliseconds after which the Broker's answer is not awaited any more; the Broker delivers the event all the same. */
const longestMs = 9000;

/** Milliseconds before each further try of one event, as far as there is time. */
const waits = [500, 1000, 2000] as const;

/** The most events that are listed, and the most refusals that are reported. */
const mostListed = 1000;
const mostTold = 20;

/** Sends recorded events again for as long as one request may take. Fails with a KnudgeError if the order is wrong. */
export async function answerReplay(
  request: LogRequest,
  { log, send, clock = realClock }: ReplayWith,
): Promise<LogAnswer> {
  const order = readOrder(await request.body());
  const selection = await untilNow(log, order);
  const events = withoutTicks(readOldestFirst(log, selection), selection.filter);
  if (order.dryRun) return list(events, order, selection);
  const refusals: { readonly seq: number; readonly id: string; readonly message: string }[] = [];
  const time = startTime(clock);
  const result = await replay({
    events,
    clock,
    waits,
    perSecond: order.rate,
    signal: time.signal,
    ...(order.limit !== undefined && { limit: order.limit }),
    send: (event, recorded) =>
      time.within(isLetter(recorded) ? sendAgain(recorded, undefined, { log, send }) : send(event)),
    onRefused: ({ seq, id }, { message }) => refusals.length < mostTold && refusals.push({ seq, id, message }),
  });
  time.end();
  return answerOf(result, selection, refusals);
}

async function list(
  events: AsyncIterable<RecordedEvent>,
  { limit = mostListed }: ReplayOrder,
  selection: Selection,
): Promise<LogAnswer> {
  const listed: object[] = [];
  let last: number | undefined;
  for await (const { seq, time, id, source, type, kind, namespace, name, shortened } of events) {
    if (listed.length === Math.min(limit, mostListed)) {
      return answerJson(200, { events: listed, next: nextOf(selection, last) });
    }
    listed.push({ seq, time, id, source, type, kind, namespace, name, shortened });
    last = seq;
  }
  return answerJson(200, { events: listed });
}

interface Time {
  /** Aborts when no new event may begin. */
  readonly signal: AbortSignal;
  /** Waits for the work; `unavailable` if it takes longer than a request may last. */
  within(work: Promise<void>): Promise<void>;
  end(): void;
}

function startTime(clock: Clock): Time {
  const [stop, over] = [new AbortController(), new AbortController()];
  void clock.sleep(workMs, over.signal).then(() => stop.abort());
  const late = clock.sleep(longestMs, over.signal).then(() => {
    throw new KnudgeError('unavailable', `the Broker did not answer within ${longestMs / 1000} s`);
  });
  late.catch(() => undefined);
  return { signal: stop.signal, within: (work) => Promise.race([work, late]), end: () => over.abort() };
}

function isLetter(event: RecordedEvent): event is DeadLetter {
  return 'destination' in event;
}

/** 503 and the like if the Broker is away; the answer still reports what was done and how to continue. */
function answerOf(result: ReplayResult, selection: Selection, refusals: readonly object[]): LogAnswer {
  const { sent, refused, shortened, end, error, last } = result;
  const done = {
    sent,
    failed: refused,
    ...(shortened !== undefined && { shortened }),
    ...(refusals.length > 0 && { failures: refusals }),
    ...(end !== 'all' && { next: nextOf(selection, last) }),
  };
  if (error === undefined) return answerJson(200, done);
  const { headers, ...answer } = answerJson(error.status, { code: error.code, message: error.message, ...done });
  return { ...answer, headers: error.retry === 'later' ? { ...headers, 'retry-after': '5' } : headers };
}

/** What to add to the next request so that it continues where this one ended, without events that came since it began. */
function nextOf({ filter }: Selection, last: number | undefined): object {
  return { after: last ?? filter.after ?? 0, before: filter.before };
}
