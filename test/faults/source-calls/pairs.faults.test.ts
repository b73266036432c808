import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import { type CallPlan, runCalls } from './run-calls.ts';
import { runCallPlans } from './run-plans.ts';
import '../../../resources/managed/kinds.ts';

const seed = Number(process.env['SEED'] ?? 1);
/** Some seconds of them; another SEED draws others. */
const pairs = Number(process.env['PAIRS'] ?? 500);
/** The second fault comes this many calls after the first at most: soon enough to meet what that has left. */
const farthest = 80;

test(`Knudge's own source loses nothing with two faults in one run (SEED=${seed}, PAIRS=${pairs})`, async (t) => {
  const { inScript } = await runCalls({ seed, faults: [] });
  const tally = await runCallPlans(
    Array.from({ length: pairs }, (_, index) => pairOf(seed * 1_000_000 + index, inScript)),
  );
  t.diagnostic(
    `counted: own source: ${tally.runs} pairs of faults, ${tally.faults} of ${2 * pairs} faults came, ${tally.kinds.size} kinds; ${tally.told} events told, ${tally.needless} of them needless (${tally.mostNeedless} at most in a run), ${tally.failures.length} failures (SEED=${seed})`,
  );
  assert.ok(tally.faults >= 1.8 * pairs, `${tally.faults} faults`);
  assert.equal(tally.failures.length, 0, tally.failures.slice(0, 5).join('\n'));
});

/** Which calls fail, and by the same seed how: what can befall a call is known only when it comes. */
function pairOf(of: number, calls: number): CallPlan {
  const chance = createChance(of);
  const first = chance.below(calls);
  return { seed: of, faults: [{ at: first }, { at: first + 1 + chance.below(farthest) }] };
}
