import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKubeconfig } from '../../kube/api.ts';
import { kinds } from '../kinds/kinds.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { openReal } from './open-real.ts';
import { runSpread } from './run-spread.ts';

const plans = 600;

test(`${String(plans)} plans with a fault at an API call end on a real API server as they should`, async () => {
  const cluster = await openReal(testKubeconfig());
  try {
    const result = await runSpread({ cluster, scenarios, plans, mostAtOnce: 24, say: (line) => console.log(line) });
    assert.deepEqual(result.wrong, []);
    assert.equal(result.reached, plans);
    assert.equal(result.scenarios, scenarios.length, 'a scenario had no plan');
    assert.equal(result.kinds, kinds.length, 'a kind of fault had no plan');
  } finally {
    await cluster.close();
  }
});
