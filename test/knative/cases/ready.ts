import type { SourceCase } from './case.ts';
import { caseLabel, configMaps, valuesOf } from './manifests.ts';
import { change, collectionOf, eventually, type Target } from './observe.ts';
import { isSourceRow, type Row } from './table.ts';

/** How long the event about a probe may take before the next is made. */
const patienceMs = 1000;

/** Waits until each watch of the sources stands: until an object that is made brings an event. */
export async function untilWatched(rows: readonly Row[], target: Target): Promise<void> {
  await Promise.all(rows.filter(isSourceRow).map((row) => probe(row, target)));
}

async function probe(row: Row<SourceCase>, target: Target): Promise<void> {
  const { id, one } = row;
  const { receiver, namespace } = target;
  const values = valuesOf(row, { namespace, receiver: receiver.url, nobody: receiver.nobody });
  receiver.expect(id, () => ({ status: 202 }));
  let [made, next] = [0, 0];
  await eventually(`a source watches what ${id} changes`, async () => {
    if (receiver.got(id).length > 0) return true;
    if (performance.now() < next) return false;
    next = performance.now() + patienceMs;
    const { apiVersion, kind } = one.resource ?? configMaps;
    const metadata = { name: `${id}-probe${made++}`, labels: { [caseLabel]: id } };
    await change(
      { kind: 'request', method: 'POST', path: collectionOf(one), body: { apiVersion, kind, metadata } },
      { values, target },
    );
    return false;
  });
  // A source of Knudge that begins sends what was there before, and that may come after the probe.
  await target.settled?.(row);
}
