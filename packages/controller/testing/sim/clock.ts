import type { Outside } from '../../react/outside.ts';

/** A clock that stands until it is told to go on. */
export interface VirtualClock extends Pick<Outside, 'now' | 'elapsed' | 'after'> {
  /** When the next task is due, by `elapsed`; undefined where nothing waits. */
  next(): number | undefined;
  /** Goes on to the next task and runs it. */
  advance(): void;
  /** Lets this many milliseconds pass, running what falls due. Negative: the wall clock is put back, and nothing runs. */
  pass(ms: number): void;
}

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly task: () => void;
}

/** Starts at this many milliseconds since 1970. */
export function createClock(start: number): VirtualClock {
  const waiting = new Set<Waiting>();
  let elapsed = 0;
  let offset = start;
  let order = 0;

  function earliest(): Waiting | undefined {
    let found: Waiting | undefined;
    for (const one of waiting) {
      if (found === undefined || one.at < found.at || (one.at === found.at && one.order < found.order)) found = one;
    }
    return found;
  }

  function advance(): void {
    const one = earliest();
    if (one === undefined) return;
    waiting.delete(one);
    elapsed = Math.max(elapsed, one.at);
    one.task();
  }

  return {
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    after: (ms, task) => {
      order += 1;
      const one = { at: elapsed + Math.max(ms, 0), order, task };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    next: () => earliest()?.at,
    advance,
    pass: (ms) => {
      if (ms < 0) {
        offset += ms;
        return;
      }
      const until = elapsed + ms;
      for (let one = earliest(); one !== undefined && one.at <= until; one = earliest()) advance();
      elapsed = until;
    },
  };
}
