import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

/** Every scenario at least once. */
const least = Number(process.env['CALM_RUNS'] ?? 1000);

it(`${least} runs without any fault are no cause for alarm, whoever of several handlers goes on first`, async (t) => {
  const { runs, scenarios, alarms } = await countAlarms(least, (scenario, seed) => ({
    scenario,
    layer: 'turns',
    seed,
  }));
  t.diagnostic(
    `counted: calm: ${alarms.length} false alarms in ${runs} runs without a fault of ${scenarios} scenarios`,
  );
  assert.ok(runs >= least);
  assert.deepEqual(alarms, []);
});
