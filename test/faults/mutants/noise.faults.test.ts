import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

/** Every scenario at least once. */
const least = Number(process.env['CALM_RUNS'] ?? 1000);

it(`${least} runs amid the noise of a cluster are no cause for alarm`, async (t) => {
  const { runs, scenarios, alarms } = await countAlarms(least, (scenario, seed) => ({
    scenario,
    layer: 'noise',
    seed,
  }));
  t.diagnostic(`counted: noise: ${alarms.length} false alarms in ${runs} noisy runs of ${scenarios} scenarios`);
  assert.ok(runs >= least);
  assert.deepEqual(alarms, []);
});
