import assert from 'node:assert/strict';
import { it } from 'node:test';
import { partOf } from '../matrix/run-plans.ts';
import { hunt } from './hunt.ts';
import { mutants } from './mutants.ts';
import { closingLine } from './report.ts';

/** MUTANT_SHARE=2/3: the second of three shares. */
const [share = 1, shares = 1] = (process.env['MUTANT_SHARE'] ?? '1/1').split('/').map(Number);
const chosen = partOf(mutants, share - 1, shares).map(({ id }) => id);

it('every seeded fault is caught, and none by a finding that the product gives as well', async (t) => {
  assert.ok(chosen.length > 0, `there is no share ${share} of ${shares}`);
  const began = performance.now();
  const hunted = await hunt({ ids: chosen, workers: 2, tell: (line) => console.log(line) });
  t.diagnostic(`counted: ${closingLine(hunted, (performance.now() - began) / 1000)}`);
  assert.deepEqual(
    hunted.map(({ id }) => id),
    chosen,
  );
  assert.deepEqual(
    hunted.filter(({ caught }) => caught === undefined).map(({ id }) => id),
    [],
  );
  assert.deepEqual(
    hunted.flatMap(({ falseAlarms }) => falseAlarms),
    [],
  );
});
