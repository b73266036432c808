import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

it('1,000 runs without any fault are no cause for alarm, whoever of several handlers goes on first', async (t) => {
  const { runs, scenarios, alarms } = await countAlarms(1000, (scenario, seed) => ({ scenario, layer: 'turns', seed }));
  t.diagnostic(
    `counted: calm: ${alarms.length} false alarms in ${runs} runs without a fault of ${scenarios} scenarios`,
  );
  assert.ok(runs >= 1000);
  assert.deepEqual(alarms, []);
});
