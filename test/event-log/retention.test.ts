import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepWithin } from '../../src/event-log/retention.ts';

test('what is too old or too much goes soon after the start and again and again, also where it failed once', async () => {
  const timers: { readonly ms: number; readonly task: () => void }[] = [];
  const done: unknown[] = [];
  let runs = 0;
  const stop = keepWithin({
    log: {
      retain: async (limits) => {
        runs += 1;
        if (runs === 1) throw new Error('away');
        assert.deepEqual(limits, { days: 7, bytes: 1000 });
        return 3;
      },
    },
    days: 7,
    bytes: 1000,
    after: (ms, task) => {
      timers.push({ ms, task });
      return () => void timers.splice(0);
    },
    onDone: (gone) => void done.push(gone),
    onFailed: (error) => void done.push(String(error)),
  });
  for (let turn = 0; turn < 2; turn += 1) {
    timers.shift()?.task();
    await new Promise(setImmediate);
  }
  assert.deepEqual(done, ['Error: away', 3]);
  assert.equal(timers[0]?.ms, 600_000);
  stop();
  assert.deepEqual(timers, []);
});
