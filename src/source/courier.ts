import type { Parcel } from './parcel.ts';

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
  /**
   * `taken` is called once, when the sink has it. `mayBegin` is called when all earlier events of the object were taken, before the
   * first try; where it gives false the event is not sent, and it is called again later.
   */
  add(parcel: Parcel, taken: () => void, mayBegin?: () => boolean): void;
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
  /** Absent: it may begin, or has begun. */
  mayBegin: (() => boolean) | undefined;
}

interface Lane {
  readonly parcels: Waiting[];
  failures: number;
}

/**
 * Never gives an event up: what the sink does not take is tried again, later and later, and only the object's own later events wait for it.
 * An event that waits for its next try takes the place of no other.
 */
export function createCourier(options: CourierOptions): Courier {
  const { send, most, mostBytes, now } = options;
  const lanes = new Map<string, Lane>();
  const ready: string[] = [];
  const tally = keepTally(now);
  const underWay = new Set<Promise<void>>();
  const timers = new Set<() => void>();
  const room = keepRoom(() => tally.counts().bytes < mostBytes);
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
    if (first.mayBegin?.() === false) return later(name, lane);
    first.mayBegin = undefined;
    if (await send(first.parcel)) delivered(name, lane);
    else later(name, lane);
  };

  const delivered = (name: string, lane: Lane): void => {
    const first = lane.parcels.shift();
    lane.failures = 0;
    if (first !== undefined) tally.sent(first);
    if (lane.parcels.length > 0) ready.push(name);
    else lanes.delete(name);
    first?.taken();
    room.look();
  };

  const later = (name: string, lane: Lane): void => {
    tally.failed();
    const longest = Math.min(options.firstBackoffMs * 2 ** lane.failures, options.longestBackoffMs);
    lane.failures += 1;
    const cancel = options.after(longest * (0.5 + options.random() / 2), () => {
      timers.delete(cancel);
      ready.push(name);
      begin();
    });
    timers.add(cancel);
  };

  return {
    room: room.wait,
    add: (parcel, taken, mayBegin) => {
      const lane = lanes.get(parcel.object);
      const waiting = { parcel, taken, since: now(), mayBegin };
      tally.added(waiting);
      if (lane !== undefined) return void lane.parcels.push(waiting);
      lanes.set(parcel.object, { parcels: [waiting], failures: 0 });
      ready.push(parcel.object);
      begin();
    },
    counts: tally.counts,
    close: async () => {
      isClosed = true;
      room.open();
      for (const cancel of timers) cancel();
      await Promise.all(underWay);
    },
  };
}

/** Who waits until there is room, or until everybody is let in. */
function keepRoom(hasRoom: () => boolean) {
  let next = Promise.withResolvers<void>();
  let isOpen = false;
  const letIn = (): void => {
    next.resolve();
    next = Promise.withResolvers<void>();
  };
  return {
    wait: async (): Promise<void> => {
      while (!isOpen && !hasRoom()) await next.promise;
    },
    look: (): void => {
      if (hasRoom()) letIn();
    },
    open: (): void => {
      isOpen = true;
      letIn();
    },
  };
}

function keepTally(now: () => number) {
  const counts = { sent: 0, failed: 0, waiting: 0, bytes: 0 };
  /** In the order in which they were added. */
  const all = new Set<Waiting>();
  return {
    added: (one: Waiting): void => {
      all.add(one);
      counts.waiting += 1;
      counts.bytes += one.parcel.bytes;
    },
    sent: (one: Waiting): void => {
      all.delete(one);
      counts.sent += 1;
      counts.waiting -= 1;
      counts.bytes -= one.parcel.bytes;
    },
    failed: (): void => {
      counts.failed += 1;
    },
    counts: (): Carried => {
      const [oldest] = all;
      return { ...counts, oldestMs: oldest === undefined ? 0 : now() - oldest.since };
    },
  };
}
