import type { EventLog } from '../../controller/domain/event-log.ts';

export interface RetentionParts {
  readonly log: Pick<EventLog, 'retain'>;
  readonly days: number;
  readonly bytes: number;
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onDone: (gone: number) => void;
  readonly onFailed: (error: unknown) => void;
}

export interface Retention {
  /** Reports that this many bytes of rows were written. */
  wrote(bytes: number): void;
  stop(): void;
}

/** Milliseconds. The first run is soon after the start, so that a process that never lives long does it in each of its lives. */
const first = 10_000;
const interval = 10 * 60_000;

/** The share of the log's bytes after whose writing the next run begins early. */
const share = 1 / 32;

/** Removes again and again what is too old or too much, sooner if more is written. */
export function keepWithin({ log, days, bytes, after, onDone, onFailed }: RetentionParts): Retention {
  const state = { isOver: false, isRunning: false, written: 0 };
  const isDue = (): boolean => state.written >= bytes * share;
  const run = async (): Promise<void> => {
    state.isRunning = true;
    do {
      state.written = 0;
      await log.retain({ days, bytes }).then(onDone, onFailed);
    } while (isDue() && !state.isOver);
    state.isRunning = false;
    if (!state.isOver) cancel = after(interval, () => void run());
  };
  let cancel = after(first, () => void run());
  return {
    wrote: (more) => {
      state.written += more;
      if (!isDue() || state.isRunning || state.isOver) return;
      cancel();
      void run();
    },
    stop: () => {
      state.isOver = true;
      cancel();
    },
  };
}
