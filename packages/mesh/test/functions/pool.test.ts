import assert from 'node:assert/strict';
import type { Agent } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Instance } from '../../functions/instance.ts';
import { createPool, type Pool, QueueFull } from '../../functions/pool.ts';
import type { FunctionSpec } from '../../mesh-spec.ts';
import { functionSpec } from './build.ts';

const never = new Promise<never>(() => undefined);
const sleeping: Instance = {
  pid: 1,
  listening: never,
  exited: never,
  ended: never,
  agent: undefined as unknown as Agent,
  leave: async () => undefined,
};

/** A pool over instances that are no processes, on a clock that stands still unless it is moved. */
function startPool(context: TestContext, start: () => Instance, overrides: Partial<FunctionSpec> = {}): Pool {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const spec = functionSpec(overrides);
  return createPool({ spec, start, report: () => undefined, idleMs: 1000, now: () => Date.now() });
}

/** Lets everything happen that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test('the 10,001st that waits is refused', async (context) => {
  const pool = startPool(context, () => sleeping);
  const leave = new AbortController();
  const waiting = Array.from({ length: 10_000 }, () => pool.seat(leave.signal).catch(() => 'left'));
  await assert.rejects(pool.seat(leave.signal), QueueFull);
  leave.abort();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['left']));
});

test('what cannot start is started again after 1, 2 and 4 seconds', async (context) => {
  let starts = 0;
  const crashing = (): Instance => {
    starts += 1;
    return {
      ...sleeping,
      listening: Promise.reject(new Error('crashed')),
      exited: Promise.resolve(),
      ended: Promise.resolve('crashed'),
    };
  };
  const pool = startPool(context, crashing);
  void pool.seat(new AbortController().signal);
  const seen: number[] = [];
  for (let second = 0; second <= 8; second += 1) {
    await settle();
    seen.push(starts);
    context.mock.timers.tick(1000);
  }
  assert.deepEqual(seen, [1, 2, 2, 3, 3, 3, 3, 4, 4]);
});

test('an idle instance is told to leave with timeoutSeconds as its grace, and takes nothing any more', async (context) => {
  const graces: number[] = [];
  let starts = 0;
  const leaving = (): Instance => {
    starts += 1;
    return { ...sleeping, listening: Promise.resolve(1), leave: async (graceMs) => void graces.push(graceMs) };
  };
  const pool = startPool(context, leaving, { timeoutSeconds: 40 });
  const { signal } = new AbortController();
  (await pool.seat(signal)).release('answered');
  context.mock.timers.tick(500);
  const seat = await pool.seat(signal);
  context.mock.timers.tick(5000);
  assert.deepEqual(graces, [], 'not while it works');
  seat.release('answered');
  context.mock.timers.tick(999);
  assert.deepEqual(graces, []);
  context.mock.timers.tick(1);
  assert.deepEqual(graces, [40_000]);
  await pool.seat(signal);
  assert.equal(starts, 2);
});

test('after the end nobody gets a place', async (context) => {
  const pool = startPool(context, () => sleeping);
  await pool.close(0);
  await assert.rejects(pool.seat(new AbortController().signal), /shutting down/);
});
