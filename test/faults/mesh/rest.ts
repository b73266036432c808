import { until } from '../../kube/until.ts';
import { versionsOf, type Wanted } from './at-rest.ts';
import type { Stage } from './stage.ts';

/** In which it must come to rest; how long it took is for the reader of the figures. */
const patienceSeconds = 60;

/**
 * All has converged, perhaps with events still under way: in the end two resyncs, one after the other, write nothing, and
 * nobody else does either.
 */
export async function staysAtRest(stage: Stage, wanted: Wanted): Promise<void> {
  let quiet = 0;
  await until(
    'two resyncs, one after the other, write nothing',
    async () => {
      const before = await versionsOf(stage.reader(), wanted.namespace);
      const writes = await stage.resync(wanted);
      const after = await versionsOf(stage.reader(), wanted.namespace);
      const changed = after.filter((version) => !before.includes(version));
      quiet = writes === 0 && changed.length === 0 ? quiet + 1 : 0;
      return quiet === 2 || { quiet, writes, changed };
    },
    patienceSeconds,
  );
}
