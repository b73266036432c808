import type { EventLog } from '../domain/event-log.ts';

export interface RetentionParts {
  readonly log: Pick<EventLog, 'retain'>;
  readonly days: number;
  readonly bytes: number;
  readonly after: (ms: number, task: () => void) => () => void;
  readonly onDone: (gone: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Milliseconds. The first soon after the start: where a process never lives long, each of its lives does it. */
const first = 10_000;
const interval = 10 * 60_000;

/** Takes away what is too old or too much, again and again; gives the way to end that. */
export function keepWithin({ log, days, bytes, after, onDone, onFailed }: RetentionParts): () => void {
  let isOver = false;
  const run = async (): Promise<void> => {
    await log.retain({ days, bytes }).then(onDone, onFailed);
    if (!isOver) stop = after(interval, () => void run());
  };
  let stop = after(first, () => void run());
  return () => {
    isOver = true;
    stop();
  };
}
