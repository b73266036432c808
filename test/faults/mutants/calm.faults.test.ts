import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

it('the oracles raise no alarm over runs without faults, in whichever order several handlers go on', async (t) => {
  const { runs, scenarios, alarms } = await countAlarms('turns');
  t.diagnostic(
    `counted: calm: ${alarms.length} false alarms in ${runs} runs without a fault of ${scenarios} scenarios`,
  );
  assert.ok(runs > 0);
  assert.deepEqual(alarms, []);
});
