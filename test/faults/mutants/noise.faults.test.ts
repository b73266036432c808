import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

it('the oracles raise no alarm over runs amid the noise of a cluster', async (t) => {
  const { runs, scenarios, alarms } = await countAlarms('noise');
  t.diagnostic(`counted: noise: ${alarms.length} false alarms in ${runs} noisy runs of ${scenarios} scenarios`);
  assert.ok(runs > 0);
  assert.deepEqual(alarms, []);
});
