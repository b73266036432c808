import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Lock } from '../../../tools/control-plane/lock.ts';
import { withLock } from '../../../tools/control-plane/lock.ts';

function lock(t: TestContext, waitMs = 5_000): Lock {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-lock-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { path: join(folder, 'lock'), waitMs, onWait: () => {} };
}

test('two that want one lock work one after the other, and nothing stays', async (t) => {
  const one = lock(t);
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((done) => setImmediate(done));
    order.push(`${name} ends`);
  };
  await Promise.all([withLock(one, work('a')), withLock(one, work('b'))]);
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
  assert.equal(existsSync(one.path), false);
});

test('the lock of a process that is gone is taken over, also when its pid is in use again', async (t) => {
  for (const holder of ['2147483647\nnode cluster.ts', `${process.pid}\nanother command`, '']) {
    const one = lock(t);
    writeFileSync(one.path, holder);
    assert.equal(await withLock(one, async () => 'done'), 'done');
  }
});

test('who waits is told for whom, and gives up in the end', async (t) => {
  const waits: number[] = [];
  const one = { ...lock(t, 0), onWait: (pid: number) => waits.push(pid) };
  const late = { ...one, waitMs: 10 };
  await withLock(one, async () => {
    await assert.rejects(
      withLock(late, async () => {}),
      /still holds/,
    );
  });
  assert.deepEqual(waits, [process.pid]);
});

test('a lock is free again after work that failed', async (t) => {
  const one = lock(t);
  await assert.rejects(
    withLock(one, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  assert.equal(existsSync(one.path), false);
});
