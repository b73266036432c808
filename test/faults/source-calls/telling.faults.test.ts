import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCalls } from './run-calls.ts';
import { runCallPlans } from './run-plans.ts';
import { plansOf, seed } from './singles.ts';

/** The kinds that find the most: for the mutants, which have no time for all. */
const telling = ['kill after it, a while, expired', 'refused 503'];

test("Knudge's own source loses nothing with a fault of the kinds that tell the most", async (t) => {
  const plans = plansOf(await runCalls({ seed, faults: [] }));
  const most = plans.filter(({ faults: [one] }) => telling.includes(one?.kind ?? ''));
  // Half of them: a mutant has two minutes, also on a machine with much other work.
  const { runs, failures } = await runCallPlans(most.filter((_, index) => index % 2 === 0));
  t.diagnostic(`counted: own source: ${runs} of those for the mutants, ${failures.length} failures (seed ${seed})`);
  assert.equal(failures.length, 0, failures.slice(0, 5).join('\n'));
});
