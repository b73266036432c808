import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cursor } from '../../resync/cursor.ts';
import { announceParents } from '../../resync/page.ts';
import { readConfig } from '../../server/config.ts';
import { shareDeadline } from '../../server/deadline.ts';
import { arrange, begin, namesIn, range } from './arrange.ts';

/** Seconds: as deploy/functions/resync-due.yaml says, and where nobody says anything. */
const deadlines = [23, readConfig({}).handlerDeadlineSeconds];

for (const deadline of deadlines) {
  test(`within ${deadline} s an invocation does what it can, and the next ones go on until each was asked after once`, async () => {
    const { workSeconds, sendSeconds } = shareDeadline(deadline);
    const names = { DistributedService: range(150), Message: range(550) };
    const world = arrange(names, { sendMs: 40, workSeconds });
    let invocations = 0;
    for (let cursor: Cursor | undefined = begin; cursor !== undefined; invocations += 1) {
      assert.ok(invocations < 30, 'it has no end');
      const began = world.parts.now();
      cursor = (await announceParents(cursor, world.parts)).next;
      const ms = world.parts.now() - began;
      assert.ok(ms < (workSeconds + sendSeconds) * 1000, `an invocation took ${ms} ms`);
    }
    assert.ok(invocations > 2, `${invocations} invocations for 28 s of work`);
    for (const [kind, all] of Object.entries(names)) assert.deepEqual(namesIn(world.sent, kind).sort(), all);
  });
}
