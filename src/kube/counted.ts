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

export interface Counted {
  readonly reader: Reader;
  readonly writer: Writer;
  counts(): Counts;
}

/**
 * The same cluster, counting. A list counts once whatever its pages, and an apply once whatever it takes: the transport's
 * `onCall` counts requests. Who asks more than `mostReads` times is `throttled`, and asks nothing more.
 */
export function counted(cluster: Reader & Writer, mostReads = Number.POSITIVE_INFINITY): Counted {
  let [reads, writes, notices] = [0, 0, 0];
  const reading = <T>(read: () => Promise<T>): Promise<T> => {
    if (reads >= mostReads) return Promise.reject(tooMany(mostReads));
    reads += 1;
    return read();
  };
  const writing = <T>(result: Promise<T>): Promise<T> => {
    writes += 1;
    return result;
  };
  return {
    reader: {
      get: (ref) => reading(() => cluster.get(ref)),
      getMetadata: (ref) => reading(() => cluster.getMetadata(ref)),
      list: (query) => reading(() => cluster.list(query)),
    },
    writer: {
      create: (object) => writing(cluster.create(object)),
      apply: (object, live, strays) => writing(cluster.apply(object, live, strays)),
      delete: (ref, precondition, propagation) => writing(cluster.delete(ref, precondition, propagation)),
      scale: (ref, precondition, replicas) => writing(cluster.scale(ref, precondition, replicas)),
      finalizers: (ref, precondition, finalizers) => writing(cluster.finalizers(ref, precondition, finalizers)),
      status: (ref, precondition, status) => writing(cluster.status(ref, precondition, status)),
      notice: (about, notice) => {
        notices += 1;
        return cluster.notice(about, notice);
      },
      nudge: (nudge) => {
        notices += 1;
        return cluster.nudge(nudge);
      },
    },
    counts: () => ({ reads, writes, notices }),
  };
}

/** Seconds: what asks so much is not to come again at once. */
const patience = 60;

function tooMany(mostReads: number): KnudgeError {
  const message = `this event would cost more than ${mostReads} reads to learn whom it concerns: the resync tells them`;
  return new KnudgeError('throttled', message, { retryAfterSeconds: patience });
}
