import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePlans, mainRows } from '../kinds/choose.ts';
import { sampleOf } from '../kinds/sample.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { faultShare, partOf } from '../share.ts';
import { prepareAll, runPlans } from './run-plans.ts';
import { describeFailures } from './tally.ts';

/** Plans of the scenarios that are not run whole, in all parts together. */
const mostOthers = 600;

/** Plans of the main scenarios in each run, all of them with SINGLES=all: some minutes, in which each kind comes equally often. */
const mostMain = process.env['SINGLES'] === 'all' ? Number.POSITIVE_INFINITY : 2000;

/** The same plans are drawn for the same SEED: each night has another. */
const salt = process.env['SEED'] ?? '';

/** At least this many plans in all parts together. */
const goal = 2500;

/** A share of the single faults: two files, so that two cores can share the work. Each draws from other scenarios. */
export function testSingles(part: number, parts: number): void {
  test(`API calls of the main scenarios, each with a fault that can befall it, part ${part + 1} of ${parts}`, async (t) => {
    const main = scenarios.filter(({ name }) => mainRows.has(name));
    const others = scenarios.filter(({ name }) => !mainRows.has(name));
    const rows = await prepareAll([...main, ...faultShare.of(partOf(others, part, parts))]);
    const { plans, counts } = choosePlans([...rows.values()], {
      most: mostOthers / parts / faultShare.shares,
      salt,
    });
    const [ofMain, ofOthers] = [plans.slice(0, counts.main), plans.slice(counts.main)];
    const spread = sampleOf(ofMain, mostMain, salt);
    const tally = await runPlans([...faultShare.of(partOf(spread, part, parts)), ...ofOthers], rows);
    t.diagnostic(
      `counted: ${tally.plans} plans: a share of ${spread.length} of the ${counts.main} of ${main.length} main scenarios (every call with every kind), and ${counts.chosen} of ${counts.others} of ${rows.size - main.length} of ${others.length} others; ${tally.kinds.size} kinds of faults, ${tally.calls} API calls, ${tally.failures.length} failures`,
    );
    assert.ok(main.length >= 14);
    assert.ok(tally.plans >= goal / parts / faultShare.shares, `the goal is ${goal} plans`);
    assert.equal(tally.failures.length, 0, describeFailures(tally));
  });
}
