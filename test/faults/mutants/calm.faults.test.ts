import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlarms } from './false-alarms.ts';

it('runs without any fault are no cause for alarm, whoever of several handlers goes on first', async (t) => {
  const { runs, scenarios, alarms } = await countAlarms('turns');
  t.diagnostic(
    `counted: calm: ${alarms.length} false alarms in ${runs} runs without a fault of ${scenarios} scenarios`,
  );
  assert.ok(runs > 0);
  assert.deepEqual(alarms, []);
});
