import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

it('1,000 runs amid the noise of a cluster are no cause for alarm', async (t) => {
  const { runs, scenarios, alarms } = await countAlarms(1000, (scenario, seed) => ({ scenario, layer: 'noise', seed }));
  t.diagnostic(`counted: noise: ${alarms.length} false alarms in ${runs} noisy runs of ${scenarios} scenarios`);
  assert.ok(runs >= 1000);
  assert.deepEqual(alarms, []);
});
