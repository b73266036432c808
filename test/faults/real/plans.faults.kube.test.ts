import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { testKubeconfig } from '../../kube/api.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { openReal } from './open-real.ts';
import { lineOf, runSpread } from './run-spread.ts';
import { someScenarios } from './some-scenarios.ts';

/** KNUDGE_FAULT_PLANS makes do with fewer plans, and with as many scenarios: what runs at every change has less time. */
const plans = Number(process.env['KNUDGE_FAULT_PLANS'] ?? '600');
const least = 100;

test(`${String(plans)} plans with a fault at an API call end on a real API server as they should`, async (t) => {
  assert.ok(plans >= least, `KNUDGE_FAULT_PLANS: every kind of fault needs a plan, so at least ${String(least)}`);
  const cluster = await openReal(testKubeconfig());
  try {
    const chosen = someScenarios(scenarios, plans);
    const result = await runSpread({ cluster, scenarios: chosen, plans, mostAtOnce: 24, signal: t.signal });
    t.diagnostic(lineOf(result));
    assert.deepEqual(result.wrong, []);
    assert.equal(result.reached, plans);
    assert.equal(result.scenarios, chosen.length, 'a scenario had no plan');
    assert.equal(result.kinds, kinds.length, 'a kind of fault had no plan');
  } finally {
    await cluster.close();
  }
});
