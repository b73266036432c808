import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePlans } from '../kinds/choose.ts';
import { partOf, prepareAll, runPlans } from './run-plans.ts';
import { describeFailures } from './tally.ts';

/** Of the scenarios that are not run whole. */
const mostOthers = 600;

/** One of two halves of the single faults: two files, so that two cores can share the work. */
export function testSingles(part: number, parts: number): void {
  test(`every API call of the main scenarios with every fault that can befall it, part ${part + 1} of ${parts}`, async (t) => {
    const rows = await prepareAll();
    const { plans, counts } = choosePlans([...rows.values()], { most: mostOthers });
    const tally = await runPlans(partOf(plans, part, parts), rows);
    t.diagnostic(
      `counted: ${tally.plans} of ${plans.length} plans (${counts.main} of the main scenarios: every call, every kind; ${counts.chosen} of ${counts.others} of the others), ${counts.boundaries} boundaries of ${counts.calls} calls in ${rows.size} scenarios, ${tally.kinds.size} kinds of faults, ${tally.calls} API calls, ${tally.failures.length} failures`,
    );
    assert.ok(plans.length >= 2500, 'the goal is 2,500 plans');
    assert.equal(tally.failures.length, 0, describeFailures(tally));
  });
}
