import type { Budget } from '../domain/budget.ts';
import type { Tried } from '../domain/delivery.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { Reader, Trial, Writer } from '../domain/ports.ts';
import type { Traced } from '../domain/spans.ts';

/** How often the ports were used. */
interface Counts {
  /** Objects and lists that were read. */
  readonly reads: number;
  /** Writes to the reconciled objects, successful or not. */
  readonly writes: number;
  /** Events for people, and nudges: writes too, but outside the count of a reconcile. */
  readonly notices: number;
}

/** A cluster that can report how long its answers are; one in memory cannot. */
export interface Metered extends Reader, Writer {
  /** The same reads. `hear` gets the bytes of each answer; if it throws, the read fails with that. */
  metered?(hear: (bytes: number) => void): Reader;
  /** The same writes. `hear` gets what came of each request. */
  heard?(hear: (tried: Tried) => void): Writer;
  /** The same reads and writes; each call is a span. */
  traced?(by: Traced): Metered;
  /** Tries writes; a dry run alone loads what does that. `insist` runs before each request, which is not sent if it throws. */
  trial?(insist: () => void): Promise<Trial>;
}

/** The budget and the time limit. */
export interface Within {
  readonly budget: Budget;
  /** The purpose, for an error: `to learn whom this event concerns`. */
  readonly about: string;
  readonly milliseconds: number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface Counted {
  readonly reader: Reader;
  readonly writer: Writer;
  counts(): Counts;
  /** Raises the budget. */
  allow(more: Budget): void;
  /** Whether a request was refused because the budget was used up. */
  isSpent(): boolean;
  /** Tries as many writes as may be made, within the time; undefined where the cluster cannot. They count as no writes. */
  readonly trial: (() => Promise<Trial>) | undefined;
  /** Throws if the time is over. */
  insistOnTime(): void;
}

/** For callers that want only the counts. */
const unbounded: Within = {
  budget: { reads: Number.POSITIVE_INFINITY, writes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
  about: 'this work',
  milliseconds: Number.POSITIVE_INFINITY,
  elapsed: () => 0,
};

/**
 * The same cluster, counting. A list counts once with all its pages, and an apply once with all its requests: the transport's
 * `onCall` counts requests. A request beyond the budget is `throttled`, one beyond the time `unavailable`, and neither is
 * sent. An answer that makes the bytes too many is the last.
 */
export function counted(cluster: Metered, within: Within = unbounded, onTried?: (tried: Tried) => void): Counted {
  const { budget, about, milliseconds, elapsed } = within;
  const to = (onTried && cluster.heard?.(onTried)) ?? cluster;
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
  const { trial } = cluster;
  let tried = 0;
  const insistOnTry = (): void => {
    insistOnTime();
    tried += 1;
    insistOn('writes', tried);
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
      create: (object) => writing(() => to.create(object)),
      apply: (object, live, strays) => writing(() => to.apply(object, live, strays)),
      delete: (ref, precondition, propagation) => writing(() => to.delete(ref, precondition, propagation)),
      scale: (ref, precondition, replicas) => writing(() => to.scale(ref, precondition, replicas)),
      finalizers: (ref, precondition, finalizers) => writing(() => to.finalizers(ref, precondition, finalizers)),
      status: (ref, precondition, status) => writing(() => to.status(ref, precondition, status)),
      notice: (object, notice) => noticing(() => to.notice(object, notice)),
      nudge: (nudge) => noticing(() => to.nudge(nudge)),
    },
    counts: () => ({ reads: used.reads, writes: used.writes, notices: used.notices }),
    allow: (more) => {
      for (const what of ['reads', 'writes', 'bytes'] as const) allowed[what] += more[what];
    },
    isSpent: () => isSpent,
    trial: trial && (() => trial(insistOnTry)),
    insistOnTime,
  };
}

/** Seconds: an event that needs this much must not come again at once. */
const patience = 60;

function tooMuch(about: string, most: string): KnudgeError {
  const message = `${about} takes more than ${most}, which is over the limit: the resync tries it again`;
  return new KnudgeError('throttled', message, { retryAfterSeconds: patience });
}
