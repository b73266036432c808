import type { Transport } from '../../controller/cluster/call.ts';
import { createReviewer } from '../../controller/cluster/reviewer.ts';
import type { EventLog } from '../../controller/domain/event-log.ts';
import type { EventContext, Sender } from '../../controller/domain/ports.ts';
import { type EventFunction, reactToEvents } from '../../controller/react/event.ts';
import type { Config } from '../../controller/server/config.ts';
import type { After } from '../../controller/server/deadline.ts';
import { type PathsReaction, pathsOf } from '../../controller/server/handle-paths.ts';
import type { createLog } from '../../controller/server/log.ts';
import type { Metrics } from '../../controller/server/metrics.ts';
import type { ConsoleFiles } from '../api/console.ts';
import { createFeed, type Feed } from '../api/feed.ts';
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
  /** The API server that reviews whether a bearer may read or change the log; absent outside a cluster. */
  readonly reviewWith?: Transport;
}

/** The work of the event log's process, and its work at the end. Fails if a newer Knudge wrote the log. */
export async function startRecord(
  parts: RecordParts,
): Promise<{ reaction: PathsReaction; figures: EventLog['figures']; atEnd: () => Promise<void> }> {
  const { own, config, log, metrics, now, epoch, sender, reviewWith } = parts;
  let retention: Retention | undefined;
  const place = { databaseUrl: config.databaseUrl, file: config.eventLog };
  const feed = createFeed();
  const opened = await openEventLog(place, (bytes) => {
    retention?.wrote(bytes);
    feed.changed();
  });
  const eventLog = createBounded({
    log: opened,
    now: epoch,
    after: later,
    onRefused: metrics.eventLogDropped,
    onAway: (error) => log.error({ err: error }, 'the event log does not answer: events are refused until it does'),
    onBack: (missing) => log.warn({ missing }, 'the event log is back'),
  });
  retention = keepWithin({
    log: opened,
    days: config.eventLogDays,
    bytes: config.eventLogBytes,
    after: later,
    onDone: (gone) => gone > 0 && log.info({ gone }, 'removed old events from the event log'),
    onFailed: (error) => log.warn({ err: error }, 'cannot keep the event log within its limits'),
  });
  const endSigning = keepSigning({
    log: opened,
    sleeps: config.eventLogSleeps,
    now: epoch,
    after: later,
    onFailed: (error) => log.warn({ err: error }, 'cannot write a sign of life to the event log'),
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
  // Imported here, so that nothing of it is in the bundles of other functions.
  const { createLogApp } = await import('../api/app.ts');
  return {
    reaction: {
      to: 'paths',
      events: pathsOf(own.map((one) => ({ stem: one.stem, reaction: reactToEvents(one, context) }))),
      ask: await createLogApp({
        log: announcing(eventLog, feed),
        feed,
        files,
        send: sender.send,
        ...(check && { check }),
      }),
    },
    figures: opened.figures,
    atEnd: async () => {
      retention?.stop();
      await endSigning();
      await eventLog.close();
    },
  };
}

let pages: ReturnType<ConsoleFiles> | undefined;

/** The pages of the console, loaded when somebody first asks for one: a clone builds them then. */
const files: ConsoleFiles = () => {
  pages ??= import('../../console/assets.ts').then(({ consoleAssets }) => consoleAssets());
  return pages;
};

/** The same log, which says when somebody has changed the state of a dead letter. */
function announcing(log: EventLog, feed: Feed): EventLog {
  return {
    ...log,
    mark: async (letter, state, note) => {
      const isMarked = await log.mark(letter, state, note);
      feed.changed(letter.seq);
      return isMarked;
    },
  };
}

/** Timers that do not keep the process alive. */
const later: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

async function nobody(): Promise<never> {
  throw new Error('the event log reads nothing from the cluster');
}
