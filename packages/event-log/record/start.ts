import type { Transport } from '../../controller/cluster/call.ts';
import { createReviewer } from '../../controller/cluster/reviewer.ts';
import type { EventContext, Sender } from '../../controller/domain/ports.ts';
import { type EventFunction, reactToEvents } from '../../controller/react/event.ts';
import type { Config } from '../../controller/server/config.ts';
import type { After } from '../../controller/server/deadline.ts';
import { type PathsReaction, pathsOf } from '../../controller/server/handle-paths.ts';
import type { createLog } from '../../controller/server/log.ts';
import type { Metrics } from '../../controller/server/metrics.ts';
import { answerAsked } from '../api/answer.ts';
import { createBounded } from '../store/bounded.ts';
import { keepSigning } from '../store/keep-signing.ts';
import { openEventLog } from '../store/open.ts';
import { keepWithin, type Retention } from '../store/retention.ts';

export interface RecordParts {
  readonly own: readonly EventFunction[];
  readonly config: Pick<Config, 'databaseUrl' | 'eventLog' | 'eventLogDays' | 'eventLogBytes' | 'eventLogSleeps'>;
  readonly log: ReturnType<typeof createLog>;
  readonly metrics: Pick<Metrics, 'eventLogDropped'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly epoch: () => number;
  readonly sender: Sender;
  /** Who is asked whether a bearer may ask; absent outside of a cluster. */
  readonly reviewWith?: Transport;
}

/** What the process of the event log does, and what it still has to do at its end. Fails where a newer Knudge wrote the log. */
export async function startRecord(
  parts: RecordParts,
): Promise<{ reaction: PathsReaction; atEnd: () => Promise<void> }> {
  const { own, config, log, metrics, now, epoch, sender, reviewWith } = parts;
  let retention: Retention | undefined;
  const place = { databaseUrl: config.databaseUrl, file: config.eventLog };
  const opened = await openEventLog(place, (bytes) => retention?.wrote(bytes));
  const eventLog = createBounded({
    ...{ log: opened, now: epoch, after: later, onRefused: metrics.eventLogDropped },
    onAway: (error) => log.error({ err: error }, 'the event log does not answer: events are refused until it does'),
    onBack: (missing) => log.warn({ missing }, 'the event log is back'),
  });
  retention = keepWithin({
    ...{ log: opened, days: config.eventLogDays, bytes: config.eventLogBytes, after: later },
    onDone: (gone) => gone > 0 && log.info({ gone }, 'old events are gone from the event log'),
    onFailed: (error) => log.warn({ err: error }, 'the event log could not be kept within its limits'),
  });
  const endSigning = keepSigning({
    ...{ log: opened, sleeps: config.eventLogSleeps, now: epoch, after: later },
    onFailed: (error) => log.warn({ err: error }, 'the event log could not keep a sign of life'),
  });
  const context: EventContext = {
    pager: { page: nobody },
    tell: nobody,
    rounds: { read: nobody, end: nobody },
    restarts: { read: nobody },
    sleep: nobody,
    sender,
    eventLog,
    log,
    now: epoch,
    workSeconds: 0,
  };
  const check = reviewWith && createReviewer(reviewWith, now);
  return {
    reaction: {
      to: 'paths',
      events: pathsOf(own.map((one) => ({ stem: one.stem, reaction: reactToEvents(one, context) }))),
      ask: (request) => answerAsked(request, { log: eventLog, send: sender.send, ...(check && { check }) }),
    },
    atEnd: async () => {
      retention?.stop();
      await endSigning();
      await eventLog.close();
    },
  };
}

/** For what keeps no process alive. */
const later: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

async function nobody(): Promise<never> {
  throw new Error('what uses the event log reads nothing of the cluster');
}
