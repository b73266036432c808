import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../scenarios/scenarios.ts';
import { faultShare } from '../share.ts';
import { prepareAll, runPlans } from './run-plans.ts';
import { countPairs, someDoubles } from './some-doubles.ts';
import { describeFailures } from './tally.ts';

/** Every n-th pair: all of them take an hour (`npm run matrix -- --doubles`). */
const step = 193;

test('two faults in one run', async (t) => {
  const rows = await prepareAll(scenarios.filter(({ pairs }) => pairs));
  const pairs = countPairs(rows.values());
  const tally = await runPlans(faultShare.of([...someDoubles(rows.values(), step)]), rows);
  t.diagnostic(
    `counted: ${tally.plans} of ${pairs} pairs, in ${tally.notReached} of which the first fault kept the second from its call, ${tally.failures.length} failures`,
  );
  assert.equal(tally.failures.length, 0, describeFailures(tally));
});
