import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import type { EventLog } from '../domain/event-log.ts';

export interface BoundedParts {
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs a task once, after so many milliseconds; gives the way to take that back. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** One that is refused: the Broker will say so to nobody. */
  readonly onRefused: (what: 'event' | 'dead-letter') => void;
  readonly onAway: (error: KnudgeError) => void;
  readonly onBack: (missing: number) => void;
}

/** Milliseconds. Behind a synchronous Broker every kind waits for the log: this and the way are below its Trigger's time-out. */
const longestAppend = 500;

/** Milliseconds. A store that failed is left alone for so long; then one append tries it, and all others are still refused. */
const rest = 1000;

/** Milliseconds that dead letters get to bring events after all, before the rest of them is a gap; and to the next try. */
const patience = 5000;

/** So many are known by name; more are only counted. */
const mostMissing = 100_000;

interface Absence {
  /** Those that are not in the log, as far as is known. */
  readonly missing: Set<string>;
  more: number;
  from: number;
  to: number;
  reason: string;
}

/**
 * The same log, whose writers wait for a short time only: a store that is slow, full or away is answered `unavailable`, at
 * once from the second time on. What is not in the log by the time the store is back becomes a gap.
 */
export function createBounded(parts: BoundedParts): EventLog {
  const { log, now, onRefused } = parts;
  const absence: Absence = { missing: new Set(), more: 0, from: 0, to: 0, reason: '' };
  const gaps = gapWriter(absence, parts);
  const attempt = breaker(parts, () => countOf(absence));
  return {
    ...log,
    append: async (event) => {
      const key = JSON.stringify([event.source, event.id]);
      // Also one that comes to its end after the answer is in the log then.
      const kept = (fresh: boolean): boolean => {
        absence.missing.delete(key);
        return fresh;
      };
      try {
        return await attempt(() => log.append(event).then(kept));
      } catch (thrown) {
        onRefused('event');
        miss(absence, { key, now: now(), reason: asKnudgeError(thrown).message });
        gaps.later();
        throw thrown;
      }
    },
    appendDeadLetter: async (letter) => {
      try {
        return await attempt(() => log.appendDeadLetter(letter));
      } catch (thrown) {
        onRefused('dead-letter');
        throw thrown;
      }
    },
    close: async () => {
      await gaps.now().catch(() => undefined);
      await log.close();
    },
  };
}

function miss(absence: Absence, { key, now, reason }: { key: string; now: number; reason: string }): void {
  if (countOf(absence) === 0) absence.from = now;
  absence.to = now;
  absence.reason = reason;
  if (absence.missing.size < mostMissing) absence.missing.add(key);
  else absence.more += 1;
}

function countOf({ missing, more }: Absence): number {
  return missing.size + more;
}

type Attempt = <Result>(work: () => Promise<Result>) => Promise<Result>;

function breaker({ now, after, onAway, onBack }: BoundedParts, countMissing: () => number): Attempt {
  const state = { isAway: false, isTrying: false, restUntil: 0 };
  const succeed = (): void => {
    if (state.isAway) onBack(countMissing());
    state.isAway = false;
  };
  const fail = (error: KnudgeError): void => {
    // What is wrong with one event says nothing of the store.
    if (error.retry !== 'later') return;
    if (!state.isAway) onAway(error);
    state.isAway = true;
    state.restUntil = now() + rest;
  };
  return async (work) => {
    if (state.isAway && (state.isTrying || now() < state.restUntil)) {
      throw new KnudgeError('unavailable', 'the event log is away');
    }
    state.isTrying = true;
    try {
      const result = await inTime(work(), after);
      succeed();
      return result;
    } catch (thrown) {
      fail(asKnudgeError(thrown));
      throw thrown;
    } finally {
      state.isTrying = false;
    }
  };
}

function inTime<Result>(work: Promise<Result>, after: BoundedParts['after']): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = after(longestAppend, () => {
    reject(new KnudgeError('unavailable', `the event log did not answer within ${longestAppend} ms`));
  });
  return Promise.race([work, promise]).finally(stop);
}

/** Also where no event comes any more: a gap that could be written says that the store is back. */
function gapWriter(absence: Absence, { log, after }: BoundedParts) {
  let stop: (() => void) | undefined;
  const write = async (): Promise<void> => {
    const { missing, more, from, to, reason } = absence;
    const events = countOf(absence);
    if (events === 0) return;
    const names = [...missing];
    await log.noteGap({ from: timeOf(from), to: timeOf(to), events, reason });
    for (const name of names) missing.delete(name);
    absence.more -= more;
  };
  const run = async (): Promise<void> => {
    await write().catch(() => undefined);
    stop = undefined;
    if (countOf(absence) > 0) later();
  };
  const later = (): void => {
    stop ??= after(patience, () => void run());
  };
  const now = (): Promise<void> => {
    stop?.();
    return write();
  };
  return { now, later };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
