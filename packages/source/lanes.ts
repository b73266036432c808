import type { Parcel } from './parcel.ts';

/** The figures of the courier. */
export interface Carried {
  /** Events that were taken. */
  readonly sent: number;
  /** Failed tries. */
  readonly failed: number;
  /** Events that wait or are under way, and their bytes. */
  readonly waiting: number;
  readonly bytes: number;
  /** Milliseconds since the oldest of them was added; 0 if the lanes are empty. */
  readonly oldestMs: number;
}

export interface Waiting {
  readonly parcel: Parcel;
  readonly taken: () => void;
  readonly since: number;
  /** Undefined if the event may begin, or has begun. */
  mayBegin: (() => boolean) | undefined;
}

/** The events of one object, in their order. */
export interface Lane {
  readonly parcels: Waiting[];
  /** Failures since an event was last taken. */
  failures: number;
}

function isLate(lane: Lane | undefined): boolean {
  return lane !== undefined && lane.failures > 0;
}

function bytesIn({ parcels }: Lane): number {
  return parcels.reduce((sum, { parcel }) => sum + parcel.bytes, 0);
}

/** Counts events and their bytes from when they are added until they are taken. */
export function keepTally(now: () => number) {
  const counts = { sent: 0, failed: 0, waiting: 0, bytes: 0 };
  /** Bytes of lanes whose first event waits for its next try. */
  let late = 0;
  /** In the order in which they were added. */
  const all = new Set<Waiting>();
  return {
    added: (one: Waiting, lane: Lane | undefined): void => {
      all.add(one);
      if (isLate(lane)) late += one.parcel.bytes;
      counts.waiting += 1;
      counts.bytes += one.parcel.bytes;
    },
    /** Removes the first event of a lane: the sink has it. */
    taken: (lane: Lane): Waiting | undefined => {
      if (isLate(lane)) late -= bytesIn(lane);
      lane.failures = 0;
      const first = lane.parcels.shift();
      if (first === undefined) return undefined;
      all.delete(first);
      counts.sent += 1;
      counts.waiting -= 1;
      counts.bytes -= first.parcel.bytes;
      return first;
    },
    failed: (lane: Lane): void => {
      counts.failed += 1;
      if (!isLate(lane)) late += bytesIn(lane);
    },
    aheadBytes: () => counts.bytes - late,
    counts: (): Carried => {
      const [oldest] = all;
      return { ...counts, oldestMs: oldest === undefined ? 0 : now() - oldest.since };
    },
  };
}
