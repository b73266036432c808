import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a function's process says of itself when it is asked by SIGUSR2, in the file that REPORT_FILE names. */
export interface Report {
  /** Bytes, after all garbage was collected and what it took was given back. */
  readonly rss: number;
  readonly heapUsed: number;
  /** What every object has inherited since the start: must stay empty. */
  readonly polluted: readonly string[];
  /** The longest that one piece of work has kept the process from the next, in milliseconds, since the last report. */
  readonly longestTurn: number;
}

const { REPORT_FILE } = process.env;
const { gc } = globalThis as { gc?: (options: object) => void };

if (REPORT_FILE !== undefined && gc !== undefined) {
  const turns = monitorEventLoopDelay({ resolution: 10 });
  const known = new Set(Object.getOwnPropertyNames(Object.prototype));
  turns.enable();
  // V8 gives memory back in a thread of its own, a while after the collection.
  const measure = async (): Promise<{ rss: number; heapUsed: number }> => {
    let least = process.memoryUsage();
    for (let times = 0; times < 5; times += 1) {
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      await sleep(100);
      const now = process.memoryUsage();
      if (now.rss < least.rss) least = now;
    }
    return least;
  };
  process.on('SIGUSR2', async () => {
    const longestTurn = turns.max / 1e6;
    const { rss, heapUsed } = await measure();
    const polluted = Object.getOwnPropertyNames(Object.prototype).filter((name) => !known.has(name));
    writeFileSync(REPORT_FILE, JSON.stringify({ rss, heapUsed, polluted, longestTurn } satisfies Report));
    turns.reset();
  });
}
