import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKubeconfig } from '../kube/api.ts';
import { areas } from './cases/areas.ts';
import { complaintsOf } from './cases/compare.ts';
import { recorded } from './cases/expected.ts';
import { startEmbedded } from './cases/mesh.ts';
import type { Target } from './cases/observe.ts';
import { startReal } from './cases/real.ts';
import { restartedByNamespace } from './cases/restarts.ts';
import { forMesh, runTable } from './cases/run-table.ts';
import { type Row, rowsOf } from './cases/table.ts';
import '../../resources/managed/kinds.ts';

/** One after the other: what waits in one is not to be late because of the other. */
async function runOn(start: (rows: readonly Row[]) => Promise<Target>, rows: readonly Row[]) {
  const target = await start(rows);
  try {
    return await runTable(rows, target);
  } finally {
    await target.close();
  }
}

test('what the mesh has not: a namespace that is made restarts the source of every namespace, and no other', async () => {
  assert.deepEqual(await restartedByNamespace(testKubeconfig()), ['everywhere']);
});

test('every case shows the same on real Knative, on the mesh and in the record', async () => {
  const rows = rowsOf(areas);
  const real = await runOn((all) => startReal(all, testKubeconfig()), rows);
  const embedded = await runOn(startEmbedded, forMesh(rows));
  const complaints = rows.flatMap((row) => {
    const lines = complaintsOf(row, [real, embedded], recorded(row.area)[row.one.name]);
    return lines.length === 0 ? [] : [`${row.area}: ${row.one.name}`, ...lines];
  });
  const bad = rows.filter((row) => complaints.includes(`${row.area}: ${row.one.name}`));
  console.log(`${rows.length} cases, ${rows.length - bad.length} equal`);
  assert.deepEqual(complaints, []);
});
