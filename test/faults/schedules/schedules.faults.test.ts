import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultShare } from '../share.ts';
import { chosen } from './chosen.ts';
import { describeSchedule, runMeetings } from './run-meetings.ts';

test('two handlers on one object: every schedule with at most two preemptions', async (t) => {
  const { pairs, schedules, run, failures } = await runMeetings(
    ({ name }) => chosen.has(name),
    faultShare.share - 1,
    faultShare.shares,
  );
  assert.ok(run > 0, `no pair is in share ${faultShare.share} of ${faultShare.shares}`);
  t.diagnostic(
    `counted: ${schedules} schedules of ${pairs} pairs; ${run} were run, the other ${schedules - run} differ from one of them only in the order of calls that commute; ${failures.length} failures`,
  );
  assert.deepEqual(failures.slice(0, 5).map(describeSchedule), []);
});
