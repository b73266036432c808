import { type Carried, keepTally, type Lane } from './lanes.ts';
import type { Parcel } from './parcel.ts';
import { keepRoom } from './room.ts';

/** Delivers events: those of one object in their order, those of several objects side by side. */
export interface Courier {
  /** Resolves when another event may be added: the bytes that wait are bounded. */
  room(): Promise<void>;
  /**
   * `taken` is called once, when the sink has the event. `mayBegin` is called when all earlier events of the object were taken, before
   * the first try; if it returns false the event is not sent, and it is called again later.
   */
  add(parcel: Parcel, taken: () => void, mayBegin?: () => boolean): void;
  counts(): Carried;
  /** Begins no further delivery; resolves when those under way have ended. */
  close(): Promise<void>;
}

export interface CourierOptions {
  /** Sends one event to the sink, once; resolves with whether it was taken. Must not reject. */
  readonly send: (parcel: Parcel) => Promise<boolean>;
  /** The most events that are under way at a time. */
  readonly most: number;
  /** The most bytes that may wait: adding waits for room. */
  readonly mostBytes: number;
  /** The same for the events that do not wait for a next try, of their own or of an event before them: they will go soon. */
  readonly mostAheadBytes: number;
  readonly firstBackoffMs: number;
  readonly longestBackoffMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back after these milliseconds; the returned function cancels that. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/**
 * Never gives an event up: after a failure it tries again, later and later, and only later events of the same object wait for it.
 * An event that waits for its next try does not take the place of another.
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
    if (first.mayBegin?.() === false) return later(name, lane);
    first.mayBegin = undefined;
    if (await send(first.parcel)) delivered(name, lane);
    else later(name, lane);
  };

  const delivered = (name: string, lane: Lane): void => {
    const first = tally.taken(lane);
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
    add: (parcel, taken, mayBegin) => {
      const lane = lanes.get(parcel.object);
      const waiting = { parcel, taken, since: now(), mayBegin };
      tally.added(waiting, lane);
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

/** Timers that can be cancelled together. */
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
