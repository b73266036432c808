import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepWithin, type Retention } from '../../store/retention.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { received } from './event.ts';

test('what is too old or too much goes soon after the start and again and again, also where it failed once', async () => {
  const timers: { readonly ms: number; readonly task: () => void }[] = [];
  const done: unknown[] = [];
  let runs = 0;
  const { stop } = keepWithin({
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

test('what is written makes it due, once for each 32nd of the room, and never twice at a time', async () => {
  const waiting: (() => void)[] = [];
  let runs = 0;
  const retain = async (): Promise<number> => {
    runs += 1;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return 0;
  };
  const quiet = { onDone: () => undefined, onFailed: () => undefined, after: () => () => undefined };
  const { wrote, stop } = keepWithin({ ...quiet, log: { retain }, days: 7, bytes: 3200 });
  wrote(99);
  assert.equal(runs, 0);
  wrote(1);
  for (let n = 0; n < 50; n += 1) wrote(10);
  assert.equal(runs, 1, 'one is under way');
  for (const turn of [2, 2]) {
    waiting.shift()?.();
    await new Promise(setImmediate);
    assert.equal(runs, turn, 'what came meanwhile');
  }
  stop();
  wrote(1000);
  assert.equal(runs, 2);
});

test('a flood of 20 MiB, as fast as it is kept, never fills a volume of twice the size of the log', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-full-'));
  context.after(() => rmSync(dir, { recursive: true }));
  let retention: Retention | undefined;
  const log = await openSqlite(join(dir, 'events.db'), Date.now, (bytes) => retention?.wrote(bytes));
  const bytes = 4 * 1024 * 1024;
  const failed: unknown[] = [];
  const quiet = { onDone: () => undefined, after: () => () => undefined };
  retention = keepWithin({ ...quiet, log, days: 7, bytes, onFailed: (error) => failed.push(error) });
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    const ids = Array.from({ length: 16 }, (_, n) => `${round}-${n}`);
    await Promise.all(ids.map((id) => log.append(received({ id, data: 'x'.repeat(32_000) }))));
    const file = statSync(join(dir, 'events.db')).size;
    most = Math.max(most, file);
  }
  retention.stop();
  await log.close();
  assert.deepEqual(failed, []);
  assert.ok(most < 2 * bytes, `${most} bytes`);
  assert.ok(readdirSync(dir).includes('events.db'));
});
