import type { Parcel } from './parcel.ts';
import { keepRoom } from './room.ts';

/** What the courier counts. */
export interface Carried {
  /** Events that were taken. */
  readonly sent: number;
  /** Tries that were not. */
  readonly failed: number;
  /** Events and their bytes that wait or are under way. */
  readonly waiting: number;
  readonly bytes: number;
  /** Milliseconds since the oldest of them was added; 0: none waits. */
  readonly oldestMs: number;
}

/** Hands over events: those of one object in their order, those of others side by side. */
export interface Courier {
  /** Resolves when another event may be added: what waits is bounded in bytes. */
  room(): Promise<void>;
  /** `taken` is called once, when the sink has it. */
  add(parcel: Parcel, taken: () => void): void;
  counts(): Carried;
  /** Begins nothing more; resolves when what is under way has ended. */
  close(): Promise<void>;
}

export interface CourierOptions {
  /** Hands one event to the sink, once; gives whether it was taken. Must not reject. */
  readonly send: (parcel: Parcel) => Promise<boolean>;
  /** So many events are under way at a time. */
  readonly most: number;
  /** More bytes than this do not wait: who adds waits. */
  readonly mostBytes: number;
  /** The same for those that do not wait for a next try, theirs or that of an event before: they go on their way soon. */
  readonly mostAheadBytes: number;
  readonly firstBackoffMs: number;
  readonly longestBackoffMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back after these milliseconds, unless what it gives is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
}

interface Waiting {
  readonly parcel: Parcel;
  readonly taken: () => void;
  readonly since: number;
}

interface Lane {
  readonly parcels: Waiting[];
  /** Since one was taken. */
  failures: number;
}

/**
 * Never gives an event up: what the sink does not take is tried again, later and later, and only the object's own later events wait for it.
 * An event that waits for its next try takes the place of no other.
 */
export function createCourier(options: CourierOptions): Courier {
  const { send, most, mostBytes, mostAheadBytes, now } = options;
  const lanes = new Map<string, Lane>();
  const ready: string[] = [];
  const tally = keepTally(now);
  const underWay = new Set<Promise<void>>();
  const timers = keepTimers(options.after);
  const room = keepRoom(() => tally.counts().bytes < mostBytes && tally.aheadBytes() < mostAheadBytes);
  let isClosed = false;

  const begin = (): void => {
    while (!isClosed && underWay.size < most) {
      const name = ready.shift();
      if (name === undefined) return;
      const work = carry(name).finally(() => {
        underWay.delete(work);
        begin();
      });
      underWay.add(work);
    }
  };

  const carry = async (name: string): Promise<void> => {
    const lane = lanes.get(name);
    const [first] = lane?.parcels ?? [];
    if (lane === undefined || first === undefined) return;
    if (await send(first.parcel)) delivered(name, lane);
    else later(name, lane);
  };

  const delivered = (name: string, lane: Lane): void => {
    tally.ahead(lane);
    const first = lane.parcels.shift();
    lane.failures = 0;
    if (first !== undefined) tally.sent(first);
    if (lane.parcels.length > 0) ready.push(name);
    else lanes.delete(name);
    first?.taken();
    room.look();
  };

  const later = (name: string, lane: Lane): void => {
    tally.failed(lane);
    room.look();
    const longest = Math.min(options.firstBackoffMs * 2 ** lane.failures, options.longestBackoffMs);
    lane.failures += 1;
    timers.begin(longest * (0.5 + options.random() / 2), () => {
      ready.push(name);
      begin();
    });
  };

  return {
    room: room.wait,
    add: (parcel, taken) => {
      const lane = lanes.get(parcel.object);
      const waiting = tally.added(parcel, { taken, lane });
      if (lane !== undefined) return void lane.parcels.push(waiting);
      lanes.set(parcel.object, { parcels: [waiting], failures: 0 });
      ready.push(parcel.object);
      begin();
    },
    counts: tally.counts,
    close: async () => {
      isClosed = true;
      room.open();
      timers.cancel();
      await Promise.all(underWay);
    },
  };
}

function isLate(lane: Lane | undefined): boolean {
  return lane !== undefined && lane.failures > 0;
}

function bytesIn({ parcels }: Lane): number {
  return parcels.reduce((sum, { parcel }) => sum + parcel.bytes, 0);
}

/** What is called back later, unless all of it is cancelled before. */
function keepTimers(after: CourierOptions['after']) {
  const cancels = new Set<() => void>();
  return {
    begin: (ms: number, call: () => void): void => {
      const cancel = after(ms, () => {
        cancels.delete(cancel);
        call();
      });
      cancels.add(cancel);
    },
    cancel: (): void => {
      for (const cancel of cancels) cancel();
    },
  };
}

function keepTally(now: () => number) {
  const counts = { sent: 0, failed: 0, waiting: 0, bytes: 0 };
  /** Bytes of lanes whose first event waits for its next try. */
  let late = 0;
  /** In the order in which they were added. */
  const all = new Set<Waiting>();
  return {
    added: (
      parcel: Parcel,
      { taken, lane }: { readonly taken: () => void; readonly lane: Lane | undefined },
    ): Waiting => {
      const waiting = { parcel, taken, since: now() };
      all.add(waiting);
      if (isLate(lane)) late += parcel.bytes;
      counts.waiting += 1;
      counts.bytes += parcel.bytes;
      return waiting;
    },
    sent: (one: Waiting): void => {
      all.delete(one);
      counts.sent += 1;
      counts.waiting -= 1;
      counts.bytes -= one.parcel.bytes;
    },
    failed: (lane: Lane): void => {
      counts.failed += 1;
      if (!isLate(lane)) late += bytesIn(lane);
    },
    /** The first event of a lane was taken, and is still in it. */
    ahead: (lane: Lane): void => {
      if (isLate(lane)) late -= bytesIn(lane);
    },
    aheadBytes: () => counts.bytes - late,
    counts: (): Carried => {
      const [oldest] = all;
      return { ...counts, oldestMs: oldest === undefined ? 0 : now() - oldest.since };
    },
  };
}
