import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a function's process says of itself when it is asked by SIGUSR2, in the file that REPORT_FILE names. */
export interface Report {
  /** Bytes, after all garbage was collected. */
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
  process.on('SIGUSR2', () => {
    const longestTurn = turns.max / 1e6;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { rss, heapUsed } = process.memoryUsage();
    const polluted = Object.getOwnPropertyNames(Object.prototype).filter((name) => !known.has(name));
    writeFileSync(REPORT_FILE, JSON.stringify({ rss, heapUsed, polluted, longestTurn } satisfies Report));
    turns.reset();
  });
}
