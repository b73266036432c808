import { type Carried, keepTally, type Lane } from './lanes.ts';
import type { Parcel } from './parcel.ts';
import { keepRoom } from './room.ts';

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
