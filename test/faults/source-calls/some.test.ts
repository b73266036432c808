import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './judge.ts';
import { runCalls } from './run-calls.ts';
import { runCallPlans } from './run-plans.ts';
import { plansOf, seed } from './singles.ts';

/** Every n-th of the single faults: a prime, so that kinds and calls take turns. All are in the files beside this one. */
const step = 97;
test("Knudge's own source tells all once where nothing fails, and is judged to", async () => {
  const calm = await runCalls({ seed, faults: [] });
  assert.deepEqual(judge(calm), { wrongs: [], needless: 0 });
  const again = await runCalls({ seed, faults: [] });
  assert.deepEqual(again.calls, calm.calls, 'it is not the same each time');
});

test('some of its calls with a fault: nothing is lost', async () => {
  const plans = plansOf(await runCalls({ seed, faults: [] }));
  const some = plans.filter((_, index) => index % step === 0);
  const { failures } = await runCallPlans(some);
  assert.deepEqual(failures, []);
});
