import assert from 'node:assert/strict';
import { it } from 'node:test';
import { faultShare } from '../share.ts';
import { hunt } from './hunt.ts';
import { mutants } from './mutants.ts';
import { closingLine } from './report.ts';

const { share, shares } = faultShare;
const chosen = faultShare.of(mutants).map(({ id }) => id);

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
