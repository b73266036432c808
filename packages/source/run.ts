import { renameSync, rmSync } from 'node:fs';
import type { Access } from '../controller/cluster/access.ts';
import { createTransport } from '../controller/cluster/transport.ts';
import type { WatchPace, WatchState } from '../controller/cluster/watch.ts';
import { nameOf, type Watched } from './collection.ts';
import { createCourier } from './courier.ts';
import { type Followed, follow } from './follow.ts';
import { type Known, openKnown, TakenOver } from './known.ts';
import type { Carried } from './lanes.ts';
import type { Happening } from './news.ts';
import type { Parcel } from './parcel.ts';

/** What a source follows, where its events go, and whom it calls about what is wrong. */
export interface SourceOptions {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** The file that keeps what was announced. */
  readonly file: string;
  /** What is followed: one watch each. */
  readonly watched: readonly Watched[];
  /** Makes the event of a change. */
  readonly pack: (happening: Happening, watched: Watched) => Parcel;
  /** Sends one event to the Broker, once; resolves with whether it was taken. Must not reject. */
  readonly send: (parcel: Parcel) => Promise<boolean>;
  /** Called where a watch stands, and where it is blind. */
  readonly tell: (watched: Watched, state: WatchState) => void;
  /** Called if the file could not be written; the next commit, a second later, writes what it lacks. */
  readonly failed: (error: unknown) => void;
  /** Called if the file was broken and is put aside: every object is announced once more. */
  readonly begunAnew: (error: unknown) => void;
  /** Called if another source has opened the file: this one has been closed and sends and writes nothing any more. */
  readonly takenOver: () => void;
  readonly limits?: Partial<typeof limits>;
  readonly pace?: Partial<WatchPace>;
}

/** The most that may be under way and wait, and times in milliseconds. */
export const limits = {
  most: 16,
  mostBytes: 16 * 1024 * 1024,
  mostAheadBytes: 1024 * 1024,
  firstBackoffMs: 100,
  longestBackoffMs: 30_000,
  commitMs: 1000,
};

/** A source that runs. */
export interface RunningSource {
  /** What it has sent up to now, and what it holds. */
  counts(): Carried & { readonly leftOut: number; readonly objects: number; readonly fileBytes: number };
  /** Each watch with the version up to which all events were taken. */
  positions(): ReadonlyMap<string, string>;
  /** Ends the watches and what is under way, and writes the file. */
  close(): Promise<void>;
}

/**
 * Runs a source: follows each collection, sends what happens, and keeps in a file what was taken, once a second at most. After
 * any end the next source on that file continues from there. Throws if the file cannot be opened; a broken one is put aside.
 */
export function runSource(options: SourceOptions): RunningSource {
  const { access, version, file, watched, send, tell, failed, pace } = options;
  const { commitMs, ...bounds } = { ...limits, ...options.limits };
  const known = untroubled(openKnownAnyway(file, options.begunAnew), failed);
  known.keepOnly(watched.map(nameOf));
  const transport = createTransport({ access, version });
  let leftOut = 0;
  let size = known.size();
  let isTakenOver = false;
  const courier = createCourier({ ...bounds, send, random: Math.random, now: () => performance.now(), after });
  const followed: readonly Followed[] = watched.map((one) =>
    follow(one, {
      access,
      transport,
      version,
      known,
      courier,
      tell,
      leftOut: () => {
        leftOut += 1;
      },
      pack: (happening) => options.pack(happening, one),
      ...(pace && { pace }),
    }),
  );
  const positions = (): ReadonlyMap<string, string> =>
    new Map(followed.map(({ name, position }) => [name, position()]));
  const commit = (): void => {
    try {
      known.commit(positions());
    } catch (error) {
      if (!(error instanceof TakenOver)) failed(error);
      else if (!isTakenOver) giveWay();
    }
  };
  const giveWay = (): void => {
    isTakenOver = true;
    void close().then(options.takenOver);
  };
  const timer = setInterval(commit, commitMs);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= end();
    return closing;
  };
  const end = async (): Promise<void> => {
    clearInterval(timer);
    const ended = Promise.all(followed.map(({ close }) => close()));
    await courier.close();
    await ended;
    commit();
    known.close();
    transport.close();
  };
  return {
    positions,
    counts: () => {
      if (closing === undefined) size = known.size();
      const { bytes: fileBytes, objects } = size;
      return { ...courier.counts(), leftOut, objects, fileBytes };
    },
    close,
  };
}

function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

/** If the file cannot be written an event is sent all the same: a second announcement does less harm than a missing one. */
function untroubled(known: Known, failed: (error: unknown) => void): Known {
  return {
    ...known,
    expect: (...given) => {
      try {
        known.expect(...given);
      } catch (error) {
        if (error instanceof TakenOver) throw error;
        failed(error);
      }
    },
  };
}

/** Puts a broken file, or one that is not a database, aside; throws any other fault. */
function openKnownAnyway(file: string, begunAnew: (error: unknown) => void): Known {
  try {
    return openKnown(file);
  } catch (error) {
    if (!isBroken(error)) throw error;
    begunAnew(error);
    renameSync(file, `${file}.broken`);
    for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });
    return openKnown(file);
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isBroken(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number };
  return [11, 26].includes(errcode & 0xff);
}
