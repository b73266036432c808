import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hunt } from './hunt.ts';
import { mutants } from './mutants.ts';
import { closingLine } from './report.ts';

it('every seeded fault is caught, and none by a finding that the product gives as well', async (t) => {
  const began = performance.now();
  const hunted = await hunt({ ids: [], workers: 2, tell: (line) => console.log(line) });
  t.diagnostic(`counted: ${closingLine(hunted, (performance.now() - began) / 1000)}`);
  assert.equal(hunted.length, mutants.length);
  assert.deepEqual(
    hunted.filter(({ caught }) => caught === undefined).map(({ id }) => id),
    [],
  );
  assert.deepEqual(
    hunted.flatMap(({ falseAlarms }) => falseAlarms),
    [],
  );
});
