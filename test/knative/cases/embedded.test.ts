import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { areas } from './areas.ts';
import { complaintsOf, type Ran } from './compare.ts';
import { recorded } from './expected.ts';
import { differenceOf, unknownDifferences } from './known.ts';
import { startEmbedded } from './mesh.ts';
import type { Target } from './observe.ts';
import { forMesh, runTable } from './run-table.ts';
import { rowsOf } from './table.ts';

const rows = rowsOf(areas);
const run = forMesh(rows);
let target: Target;
let ran: Ran;

before(async () => {
  target = await startEmbedded(run);
  ran = await runTable(run, target);
});
after(() => target.close());

for (const row of run) {
  test(`${row.area}: ${row.one.name}`, () => {
    // Each difference as a path, what real Knative shows (-) and what the mesh shows (+).
    assert.deepEqual(complaintsOf(row, [ran], recorded(row.area)[row.one.name]), []);
  });
}

for (const row of rows.filter((one) => !run.includes(one))) {
  test(`the mesh refuses it with a sentence: ${row.area}: ${row.one.name}`, async () => {
    const known = differenceOf(row);
    assert.ok(known?.kind === 'refused');
    await assert.rejects(startEmbedded([row]), (error: Error) => error.message.includes(known.says));
  });
}

test('the table has at least 80 cases, and each is in the record', () => {
  assert.ok(rows.length >= 80, `${rows.length} cases`);
  assert.deepEqual(
    rows.filter(({ area, one }) => recorded(area)[one.name] === undefined),
    [],
  );
});

test('the table of differences is about cases that are there', () => {
  assert.deepEqual(unknownDifferences(rows), []);
});

test('no area has two cases of one name', () => {
  for (const [area, cases] of Object.entries(areas)) {
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, area);
  }
});
