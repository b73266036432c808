import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kube/until.ts';

/** A source in a process of its own, which may be killed again and again. */
export interface DyingSource {
  readonly counts: { kills: number; beforeItWatched: number; sent: number };
  /** Another process; waits until all its watches stand. */
  start(): Promise<void>;
  /** SIGKILL, and another at once, each second; each second one of them lives until it watches, for ten seconds at most. */
  dieEachSecond(): Dying;
  /** The same at another pace. */
  dieEach(ms: number): Dying;
  /** Killed, and for this long there is no other. */
  beDead(ms: number): Promise<void>;
  /** Another beside the one that runs; after this long the older one is killed, and then the watches of the other must stand. */
  runTwo(ms: number): Promise<void>;
}

export interface Dying {
  stop(): Promise<void>;
}

/** What a line of a source's output says: that it has sent an event, or that all its watches stand. */
export type Told = 'sent' | 'complete' | undefined;

interface Particular {
  /** Of its environment, besides what it needs to run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called once for each process: what it gives reads the lines of that one. */
  readonly readerOf?: () => (line: string) => Told;
}

/** `args`: the program and its arguments. Without a reader its lines are `sent` and `complete`. */
export function openDyingSource(
  context: TestContext,
  args: readonly string[],
  { env = {}, readerOf = () => readPlainly }: Particular = {},
): DyingSource {
  const counts = { kills: 0, beforeItWatched: 0, sent: 0 };
  const running = { child: undefined as ChildProcess | undefined, isComplete: false, isOver: false };
  const all = new Set<ChildProcess>();
  const spawnOne = (): void => {
    running.isComplete = false;
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: '.knudge/compile-cache', NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.child = child;
    all.add(child);
    child.once('exit', () => all.delete(child));
    const read = readerOf();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = read(line);
      if (told === 'sent') counts.sent += 1;
      if (told === 'complete' && running.child === child) running.isComplete = true;
    });
  };
  const kill = () => killOne(running.child);
  context.after(async () => {
    running.isOver = true;
    for (const child of all) await killOne(child);
  });
  const complete = () => until('the source watches', async () => running.isComplete, 60);
  const start = async (): Promise<void> => {
    await kill();
    spawnOne();
    await complete();
  };
  const watchesOrPatience = (): Promise<void> =>
    until('it watches', async () => running.isComplete || running.isOver, 10).catch(() => undefined);
  const dieEach = (ms: number): Dying => {
    const stopped = new AbortController();
    const work = async (): Promise<void> => {
      while (!stopped.signal.aborted && !running.isOver) {
        const next = sleep(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
        // On a machine with much other work it would else never be up.
        if (counts.kills % 2 === 1) await watchesOrPatience();
        counts.kills += 1;
        if (!running.isComplete) counts.beforeItWatched += 1;
        await kill();
        spawnOne();
        await next;
      }
    };
    const done = work();
    return {
      stop: async () => {
        stopped.abort();
        await done;
      },
    };
  };
  const runTwo = async (ms: number): Promise<void> => {
    const older = running.child;
    spawnOne();
    await sleep(ms);
    counts.kills += 1;
    await killOne(older);
    await complete();
  };
  const beDead = async (ms: number): Promise<void> => {
    counts.kills += 1;
    await kill();
    await sleep(ms);
    await start();
  };
  return { counts, start, beDead, dieEachSecond: () => dieEach(1000), dieEach, runTwo };
}

/** SIGKILL; waits until it is gone. */
async function killOne(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function readPlainly(line: string): Told {
  return line === 'sent' || line === 'complete' ? line : undefined;
}
