import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';

/** Time that stands until it is told to go on, for all of this process that asks `setTimeout`, `performance.now` and the like. */
export interface Time {
  /** Milliseconds since the run began. */
  now(): number;
  after(ms: number, task: () => void): () => void;
  /** Goes on from task to task until this holds, at most this many milliseconds; gives whether it holds. */
  until(holds: () => boolean, mostMs: number): Promise<boolean>;
  /** Gives the process its own time back. */
  restore(): void;
}

/** One who sets timers. Of one who is dead none fires any more. */
export interface Owner {
  readonly isDead: boolean;
}

/** Who runs at present. */
export const running = new AsyncLocalStorage<Owner>();

interface Timer {
  at: number;
  readonly task: () => void;
  readonly everyMs: number | undefined;
  readonly owner: Owner | undefined;
}

interface Sleeps {
  setTimeout: unknown;
}

const sleeps = createRequire(import.meta.url)('node:timers/promises') as Sleeps;
const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  sleep: sleeps.setTimeout,
  dateNow: Date.now,
  performanceNow: performance.now,
  random: Math.random,
};

/** What is written and read between two tasks is done after this many turns of the loop of events. */
const turns = 3;
/** 26 November 2026. */
const began = 1_795_651_200_000;

/** Takes time and chance over; nothing happens by itself until `restore`. */
export function takeOverTime(seed: number): Time {
  const timers = new Set<Timer>();
  let now = 0;
  const start = (task: () => void, ms: number, everyMs?: number): Timer => {
    const timer = { at: now + Math.max(ms, 1), task, everyMs, owner: running.getStore() };
    timers.add(timer);
    return timer;
  };
  const stop = (timer: unknown): void => void timers.delete(timer as Timer);
  const set = (task: () => void, ms = 0) => start(task, ms);
  const sleep = (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = start(() => resolve(value), ms);
      signal?.addEventListener('abort', () => {
        stop(timer);
        reject(new Error('aborted'));
      });
    });
  const every = (task: () => void, ms = 0) => start(task, ms, Math.max(ms, 1));
  replace({ setTimeout: set, clearTimeout: stop, setInterval: every, clearInterval: stop, sleep });
  performance.now = () => now;
  Date.now = () => began + now;
  Math.random = createChance(seed).next;
  const goOn = (timer: Timer): void => {
    now = Math.max(now, timer.at);
    if (timer.everyMs === undefined || timer.owner?.isDead === true) timers.delete(timer);
    else timer.at = now + timer.everyMs;
    if (timer.owner?.isDead === true) return;
    if (timer.owner === undefined) running.exit(timer.task);
    else running.run(timer.owner, timer.task);
  };
  return {
    now: () => now,
    after: (ms, task) => {
      const timer = running.exit(() => start(task, ms));
      return () => stop(timer);
    },
    until: async (holds, mostMs) => {
      const end = now + mostMs;
      for (;;) {
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        if (holds()) return true;
        const next = earliest(timers);
        if (next === undefined || next.at > end) return false;
        goOn(next);
      }
    },
    restore,
  };
}

function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let found: Timer | undefined;
  for (const timer of timers) if (found === undefined || timer.at < found.at) found = timer;
  return found;
}

function replace({ sleep, ...others }: Readonly<Record<string, unknown>>): void {
  Object.assign(globalThis, others);
  sleeps.setTimeout = sleep;
  syncBuiltinESMExports();
}

function restore(): void {
  const { dateNow, performanceNow, random, ...others } = real;
  replace(others);
  performance.now = performanceNow;
  Date.now = dateNow;
  Math.random = random;
}
