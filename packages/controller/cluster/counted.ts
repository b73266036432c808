import type { Budget } from '../domain/budget.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { Reader, Writer } from '../domain/ports.ts';

/** What was asked of the ports. */
interface Counts {
  /** Objects and lists that were asked for. */
  readonly reads: number;
  /** Writes to what is reconciled, whether they succeeded or not. */
  readonly writes: number;
  /** Events for people, and nudges: API writes too, but never part of what a reconcile owes. */
  readonly notices: number;
}

/** A cluster that can say how long its answers are; one in memory has none. */
export interface Metered extends Reader, Writer {
  /** The same reads. `hear` is told how many bytes each answer has; where it throws, the read fails with that. */
  metered?(hear: (bytes: number) => void): Reader;
}

/** What may be asked, and until when. */
export interface Within {
  readonly budget: Budget;
  /** For an error: `to learn whom this event concerns`. */
  readonly about: string;
  readonly milliseconds: number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface Counted {
  readonly reader: Reader;
  readonly writer: Writer;
  counts(): Counts;
  /** So much more may be asked. */
  allow(more: Budget): void;
  /** Whether something was refused because it was too much. */
  isSpent(): boolean;
  /** Throws where the time is over. */
  insistOnTime(): void;
}

/** For those who want the figures alone. */
const unbounded: Within = {
  budget: { reads: Number.POSITIVE_INFINITY, writes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
  about: 'this work',
  milliseconds: Number.POSITIVE_INFINITY,
  elapsed: () => 0,
};

/**
 * The same cluster, counting. A list counts once whatever its pages, and an apply once whatever it takes: the transport's
 * `onCall` counts requests. Who asks more than the budget allows is `throttled`, who asks when the time is over `unavailable`, and nothing
 * more is asked. An answer that makes the bytes too many is the last.
 */
export function counted(cluster: Metered, within: Within = unbounded): Counted {
  const { budget, about, milliseconds, elapsed } = within;
  const allowed = { ...budget };
  const used = { reads: 0, writes: 0, bytes: 0, notices: 0 };
  const began = elapsed();
  let isSpent = false;

  const insistOnTime = (): void => {
    if (elapsed() - began <= milliseconds) return;
    const seconds = String(Math.round(milliseconds / 1000));
    throw new KnudgeError('unavailable', `${about} took more than ${seconds} s: the next try goes on from there`);
  };
  const insistOn = (what: keyof Budget, sum: number): void => {
    if (sum <= allowed[what]) return;
    isSpent = true;
    throw tooMuch(about, `${String(allowed[what])} ${what}`);
  };
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    insistOnTime();
    insistOn('reads', used.reads + 1);
    insistOn('bytes', used.bytes);
    used.reads += 1;
    return read();
  };
  const writing = async <T>(write: () => Promise<T>): Promise<T> => {
    insistOnTime();
    insistOn('writes', used.writes + 1);
    used.writes += 1;
    return write();
  };
  const noticing = <T>(notice: () => Promise<T>): Promise<T> => {
    used.notices += 1;
    return notice();
  };
  const hear = (bytes: number): void => {
    used.bytes += bytes;
    insistOn('bytes', used.bytes);
  };
  const from = cluster.metered?.(hear) ?? cluster;

  return {
    reader: {
      get: (ref) => reading(() => from.get(ref)),
      getMetadata: (ref) => reading(() => from.getMetadata(ref)),
      list: (query) => reading(() => from.list(query)),
    },
    writer: {
      create: (object) => writing(() => cluster.create(object)),
      apply: (object, live, strays) => writing(() => cluster.apply(object, live, strays)),
      delete: (ref, precondition, propagation) => writing(() => cluster.delete(ref, precondition, propagation)),
      scale: (ref, precondition, replicas) => writing(() => cluster.scale(ref, precondition, replicas)),
      finalizers: (ref, precondition, finalizers) => writing(() => cluster.finalizers(ref, precondition, finalizers)),
      status: (ref, precondition, status) => writing(() => cluster.status(ref, precondition, status)),
      notice: (object, notice) => noticing(() => cluster.notice(object, notice)),
      nudge: (nudge) => noticing(() => cluster.nudge(nudge)),
    },
    counts: () => ({ reads: used.reads, writes: used.writes, notices: used.notices }),
    allow: (more) => {
      for (const what of ['reads', 'writes', 'bytes'] as const) allowed[what] += more[what];
    },
    isSpent: () => isSpent,
    insistOnTime,
  };
}

/** Seconds: what asks so much is not to come again at once. */
const patience = 60;

function tooMuch(about: string, most: string): KnudgeError {
  const message = `${about} takes more than ${most}, which is more than there is to ask: the resync comes back to it`;
  return new KnudgeError('throttled', message, { retryAfterSeconds: patience });
}
