import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { faultShare, partOf } from '../share.ts';
import { judge } from './judge.ts';
import { kinds, kindsAt } from './kinds.ts';
import { type CallPlan, type Ran, runCalls } from './run-calls.ts';
import { runCallPlans } from './run-plans.ts';

/** Of the run without faults, and so of all that have one. */
export const seed = 1;
/** At least this many calls, and plans of them in all parts together. */
const atLeast = { calls: 180, plans: 2000 };

/** A share of all single faults: every call that a run without faults makes, with every kind that can befall it. */
export function testSingles(part: number, parts: number): void {
  test(`Knudge's own source loses nothing with a fault at every call that it makes, part ${part + 1} of ${parts}`, async (t) => {
    const calm = await runCalls({ seed, faults: [] });
    assert.deepEqual(judge(calm), { wrongs: [], needless: 0 });
    assert.ok(calm.told.length > 40, `${calm.told.length} events`);
    const plans = plansOf(calm);
    const mine = faultShare.of(partOf(plans, part, parts));
    // Until the fault comes, a run is the one without it: otherwise it were not known what each call met.
    const check = ({ struck: [first] }: Ran): string | undefined => {
      const at = mine[done]?.faults[0]?.at ?? -1;
      done += 1;
      return isDeepStrictEqual(first?.call, calm.calls[at]) ? undefined : `call ${at} is another one`;
    };
    let done = 0;
    const tally = await runCallPlans(mine, check);
    t.diagnostic(
      `counted: own source: ${tally.runs} of ${plans.length} single faults at ${calm.inScript} calls, ${tally.kinds.size} kinds; ${tally.told} events told, ${tally.needless} of them needless (${tally.mostNeedless} at most in a run), ${tally.failures.length} failures (seed ${seed})`,
    );
    assert.ok(calm.inScript >= atLeast.calls && plans.length >= atLeast.plans, `${plans.length} plans`);
    assert.equal(tally.kinds.size, kinds.length, 'not every kind has come');
    assert.equal(tally.failures.length, 0, tally.failures.slice(0, 5).join('\n'));
  });
}

/** Every single fault. */
export function plansOf({ calls, inScript }: Ran): readonly CallPlan[] {
  return calls
    .slice(0, inScript)
    .flatMap(({ call }, at) => kindsAt(call).map(({ id }) => ({ seed, faults: [{ at, kind: id }] })));
}
