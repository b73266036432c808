import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CloudEvent } from '../../cloud-event.ts';

type Done = (error: Error | null) => void;

/** A disk that is done when the test says so. */
const underWay: Done[] = [];
fs.fdatasync = ((_: number, done: Done) => underWay.push(done)) as unknown as typeof fs.fdatasync;
syncBuiltinESMExports();
const { openLog } = await import('../../broker/kafka-log.ts');

function open(context: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-sync-'));
  underWay.length = 0;
  const told: string[] = [];
  const log = openLog({
    file: join(dir, 'log.sqlite'),
    consumers: [],
    partitions: 1,
    onAppended: () => told.push('appended'),
    onTrouble: (why) => told.push(why),
  });
  context.after(() => rmSync(dir, { recursive: true }));
  const append = (id: string): void => {
    const event: CloudEvent = {
      attributes: { specversion: '1.0', id, type: 't', source: '/s' },
      data: Buffer.from('x'),
    };
    log.append(0, event).then(
      () => told.push(`${id} accepted`),
      (cause: Error) => told.push(`${id} refused: ${cause.message}`),
    );
  };
  return { log, told, append };
}

/** Everything that follows from what was done, timers apart. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('an event is delivered at once and accepted when the disk has it; those that came meanwhile share the next sync', async (context) => {
  const { log, told, append } = open(context);
  append('first');
  await settled();
  append('second');
  append('third');
  await settled();
  assert.deepEqual([told, underWay.length], [['appended', 'appended'], 1]);
  underWay.shift()?.(null);
  await settled();
  assert.deepEqual([told, underWay.length], [['appended', 'appended', 'first accepted'], 1]);
  underWay.shift()?.(null);
  await settled();
  assert.deepEqual([told.slice(3), underWay.length], [['second accepted', 'third accepted'], 0]);
  log.close();
});

test('what the disk does not take is refused, and the next has its chance', async (context) => {
  const { log, told, append } = open(context);
  append('first');
  await settled();
  underWay.shift()?.(new Error('EIO'));
  await settled();
  append('second');
  await settled();
  underWay.shift()?.(null);
  await settled();
  assert.deepEqual(told, ['appended', 'first refused: EIO', 'appended', 'second accepted']);
  log.close();
});

test('a log that is closed has everything on disk, and accepts it', async (context) => {
  const { log, told, append } = open(context);
  append('first');
  await settled();
  append('second');
  log.close();
  await settled();
  assert.deepEqual(told.slice(-2), ['first accepted', 'second accepted']);
  underWay.shift()?.(null);
  await settled();
  assert.equal(underWay.length, 0);
});
