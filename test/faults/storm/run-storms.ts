import { Worker } from 'node:worker_threads';
import { addTo, emptyTally, type Tally } from './tally.ts';
import type { Told } from './worker.ts';

export interface StormsParts {
  readonly seeds: number;
  readonly from: number;
  readonly workers: number;
  /** Called every few seconds. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called at once with each storm with findings. */
  readonly onFailure?: (told: Told) => void;
}

export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly seconds: number;
}

/** What all storms together have shown. */
export interface Storms {
  readonly seeds: number;
  readonly from: number;
  readonly tally: Tally;
  /** Storms with findings, by seed. */
  readonly failures: readonly Told[];
  readonly seconds: number;
}

const progressMs = 5000;

/** Runs this many storms, each from a seed of its own, on this many threads. */
export async function runStorms({ seeds, from, workers, ...tell }: StormsParts): Promise<Storms> {
  const { onProgress = () => undefined, onFailure = () => undefined } = tell;
  const began = performance.now();
  const tally = emptyTally();
  const failures: Told[] = [];
  let [next, done] = [from, 0];
  const seconds = (): number => (performance.now() - began) / 1000;
  const timer = setInterval(() => onProgress({ done, failed: failures.length, seconds: seconds() }), progressMs);
  const take = (told: Told): void => {
    done += 1;
    if (told.tally !== undefined) addTo(tally, told.tally);
    if (told.findings.length === 0) return;
    failures.push(told);
    onFailure(told);
  };
  const give = (): number | undefined => {
    if (next >= from + seeds) return undefined;
    next += 1;
    return next - 1;
  };
  try {
    await Promise.all(Array.from({ length: workers }, () => work(give, take)));
  } finally {
    clearInterval(timer);
  }
  failures.sort((one, other) => one.seed - other.seed);
  return { seeds, from, tally, failures, seconds: seconds() };
}

/** One thread, until there is nothing left to give it. */
function work(give: () => number | undefined, take: (told: Told) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = new Worker(new URL('worker.ts', import.meta.url));
  const goOn = (): void => {
    const seed = give();
    if (seed === undefined) void worker.terminate();
    else worker.postMessage(seed);
  };
  worker.on('message', (told: Told) => {
    take(told);
    goOn();
  });
  worker.once('error', reject);
  worker.once('exit', () => resolve());
  goOn();
  return promise;
}
