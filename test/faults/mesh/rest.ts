import assert from 'node:assert/strict';
import { until } from '../../kube/until.ts';
import { versionsOf, type Wanted } from './at-rest.ts';
import type { Stage } from './stage.ts';

/** All has converged, perhaps with events still under way: soon a resync writes nothing, and the one after it neither. */
export async function staysAtRest(stage: Stage, wanted: Wanted): Promise<void> {
  const round = async (): Promise<{ writes: number; changed: readonly string[] }> => {
    const before = await versionsOf(stage.reader(), wanted.namespace);
    const writes = await stage.resync(wanted);
    const after = await versionsOf(stage.reader(), wanted.namespace);
    return { writes, changed: after.filter((version) => !before.includes(version)) };
  };
  await until('a resync writes nothing', async () => {
    const { writes, changed } = await round();
    return (writes === 0 && changed.length === 0) || { writes, changed };
  });
  assert.deepEqual(await round(), { writes: 0, changed: [] });
}
