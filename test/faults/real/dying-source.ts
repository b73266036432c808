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
  dieEachSecond(): { stop(): Promise<void> };
}

export function openDyingSource(context: TestContext, args: readonly string[]): DyingSource {
  const counts = { kills: 0, beforeItWatched: 0, sent: 0 };
  const running = { child: undefined as ChildProcess | undefined, isComplete: false, isOver: false };
  const spawnOne = (): void => {
    running.isComplete = false;
    const child = spawn(process.execPath, ['test/faults/real/source-process.ts', ...args], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: '.knudge/compile-cache', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'sent') counts.sent += 1;
      if (line === 'complete' && running.child === child) running.isComplete = true;
    });
  };
  const kill = async (): Promise<void> => {
    const { child } = running;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  context.after(async () => {
    running.isOver = true;
    await kill();
  });
  const start = async (): Promise<void> => {
    await kill();
    spawnOne();
    await until('the source watches', async () => running.isComplete, 60);
  };
  const watchesOrPatience = (): Promise<void> =>
    until('it watches', async () => running.isComplete || running.isOver, 10).catch(() => undefined);
  const dieEachSecond = () => {
    const state = { isOver: false };
    const work = async (): Promise<void> => {
      while (!state.isOver && !running.isOver) {
        const next = sleep(1000);
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
        state.isOver = true;
        await done;
      },
    };
  };
  return { counts, start, dieEachSecond };
}
