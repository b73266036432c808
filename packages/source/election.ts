import type { Lease, LeaseState } from './lease.ts';

/** Times in milliseconds. */
export const electionPace = {
  /** The holder writes the Lease this often, and the standby reads it this often. */
  renewMs: 1000,
  /** A holder that has not written for this long is taken for dead: several renewals may fail before. */
  durationMs: 3000,
};

export interface ElectionOptions {
  readonly lease: Lease;
  /** The identity of this process, which no other process ever has. */
  readonly identity: string;
  /** Called when this process holds the Lease. */
  readonly elected: () => void;
  /** Called once when it can no longer be sure that it holds the Lease; then the election is over. */
  readonly lost: (why: string) => void;
  /** Called when a read or a write of the Lease failed; it is tried again. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back after these milliseconds; the returned function cancels that. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export interface Election {
  /** Whether the API server has answered the last read of the Lease. */
  knows(): boolean;
  /** Gives the Lease back. */
  close(): Promise<void>;
}

/** The Lease as this process last saw it, and when it last changed, by the process's own clock. */
interface Sight {
  state: LeaseState | undefined;
  since: number;
  /** When this process last wrote it; undefined if it does not hold it. */
  written: number | undefined;
}

/**
 * Elects one of several processes by a Lease, as client-go does: no two clocks are compared, a standby waits until it has
 * seen the Lease unchanged for as long as it lasts. The election only makes a standby take over soon: if a process believes in
 * its Lease for too long that does no harm, because the file belongs to the process that opened it last.
 */
export function startElection(options: ElectionOptions): Election {
  const { lease, identity, elected, lost, failed, now } = options;
  const { renewMs, durationMs } = electionPace;
  let [isOver, isSure] = [false, false];
  const pause = createPause(options.after);
  const sight: Sight = { state: undefined, since: now(), written: undefined };

  const write = async (): Promise<void> => {
    // The time before the call: the standby counts from when the API server took it, which is later.
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

  /** After a failed renewal: it may have arrived without an answer, and another process may hold the Lease. */
  const lookAgain = async (): Promise<void> => {
    try {
      sight.state = await lease.read();
    } catch {
      // The next renewal reads again.
    }
  };

  const whyLost = (): string | undefined => {
    if (sight.written === undefined) return undefined;
    const { state } = sight;
    if (state !== undefined && state.holder !== identity) return `${state.holder || 'no process'} holds the Lease`;
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

/** A wait that can be ended early. */
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
