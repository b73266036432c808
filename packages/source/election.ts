import type { Lease, LeaseState } from './lease.ts';

/** Times in milliseconds. */
export const electionPace = {
  /** So often the holder writes the Lease, and the standby reads it. */
  renewMs: 1000,
  /** A holder that has written nothing for so long is taken for dead: some renewals may fail before. */
  durationMs: 3000,
};

export interface ElectionOptions {
  readonly lease: Lease;
  /** Of this process, and of no other one ever. */
  readonly identity: string;
  /** This process holds the Lease from now on. */
  readonly elected: () => void;
  /** It held the Lease and cannot be sure any more that it does. Called once, and then the election is over. */
  readonly lost: (why: string) => void;
  /** A read or a write of the Lease failed; it is tried again. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back after these milliseconds, unless what it gives is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export interface Election {
  /** Whether the API server has answered the last question who holds the Lease. */
  knows(): boolean;
  /** Gives the Lease back. */
  close(): Promise<void>;
}

/** What a process has seen of the Lease, and when it was another one last, by its own clock. */
interface Sight {
  state: LeaseState | undefined;
  since: number;
  /** When this process wrote it last; undefined: it does not hold it. */
  written: number | undefined;
}

/**
 * Elects one of several processes by a Lease, as client-go does: no two clocks are compared, a process that stands by waits until it has
 * seen the Lease unchanged for as long as it lasts. It makes a source that stands by take over soon, and no more: that a process which
 * believes in its Lease for too long does no harm is due to the file, whose owner is the process that opened it last.
 */
export function startElection(options: ElectionOptions): Election {
  const { lease, identity, elected, lost, failed, now } = options;
  const { renewMs, durationMs } = electionPace;
  let [isOver, isSure] = [false, false];
  const pause = createPause(options.after);
  const sight: Sight = { state: undefined, since: now(), written: undefined };

  const write = async (): Promise<void> => {
    // The time before the call: the others count from when the API server took it, which is later.
    const began = now();
    const { state } = sight;
    sight.state = await (state === undefined ? lease.make(identity) : lease.write(state, identity));
    const isHeld = sight.written !== undefined;
    [sight.since, sight.written] = [began, began];
    if (!isHeld && !isOver) elected();
  };

  const look = async (): Promise<void> => {
    const state = await lease.read();
    if (state?.version !== sight.state?.version) sight.since = now();
    sight.state = state;
    const isFree = state === undefined || state.holder === '' || state.holder === identity;
    if (isFree || now() - sight.since >= durationMs) await write();
  };

  const step = async (): Promise<void> => {
    try {
      await (sight.written === undefined ? look() : write());
      isSure = true;
    } catch (error) {
      isSure = false;
      failed(error);
      if (sight.written !== undefined) await lookAgain();
    }
  };

  /** After a renewal that failed: it may have arrived without an answer, and another process may hold the Lease. */
  const lookAgain = async (): Promise<void> => {
    try {
      sight.state = await lease.read();
    } catch {
      // Tried with the next renewal.
    }
  };

  const whyLost = (): string | undefined => {
    if (sight.written === undefined) return undefined;
    const { state } = sight;
    if (state !== undefined && state.holder !== identity) return `${state.holder || 'nobody'} holds the Lease`;
    const ms = now() - sight.written;
    return ms >= durationMs ? `the Lease could not be renewed for ${String(Math.round(ms))} ms` : undefined;
  };

  const run = async (): Promise<void> => {
    while (!isOver) {
      await step();
      const why = whyLost();
      if (why !== undefined) return lost(why);
      if (!isOver) await pause.wait(renewMs);
    }
  };
  const done = run();

  return {
    knows: () => isSure,
    close: async () => {
      isOver = true;
      pause.end();
      await done;
      const { state, written } = sight;
      if (written === undefined || state?.holder !== identity) return;
      // Given back, so that another process need not wait until it has run out.
      await lease.write(state, '').catch(failed);
    },
  };
}

/** A wait that another may end. */
function createPause(after: ElectionOptions['after']) {
  let end = (): void => undefined;
  return {
    wait: (ms: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = after(ms, resolve);
      end = () => {
        cancel();
        resolve();
      };
      return promise;
    },
    end: () => end(),
  };
}
