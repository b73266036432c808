import { type Cluster, makeUnrelated } from './cluster.ts';
import type { Contestant } from './contestants.ts';
import type { Point } from './measured.ts';
import { memoryOf, type Ready, rest, withContestant } from './turn.ts';

/** At each number of Pods one contestant after the other is started anew, so that none has seen fewer before. */
export async function measureCurve(
  {
    cluster,
    ready,
    restMs,
    log,
  }: {
    readonly cluster: Cluster;
    readonly ready: readonly Ready[];
    readonly restMs: number;
    readonly log: (line: string) => void;
  },
  points: readonly number[],
  failed: (contestant: Contestant, error: unknown) => void,
): Promise<ReadonlyMap<Contestant, readonly Point[]>> {
  const curves = new Map<Contestant, Point[]>();
  let there = 0;
  for (const pods of points) {
    log(`${pods.toLocaleString('en')} unrelated Pods`);
    await makeUnrelated(cluster.kube, { from: there, to: pods });
    there = Math.max(there, pods);
    for (const { contestant, command } of ready) {
      try {
        const mb = await withContestant({ cluster, contestant, command }, async (running) => {
          await rest(running, restMs);
          return memoryOf(running.usage());
        });
        curves.set(contestant, [...(curves.get(contestant) ?? []), { pods, mb }]);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        failed(contestant, new Error(`with ${pods.toLocaleString('en')} unrelated Pods: ${why}`));
      }
    }
  }
  return curves;
}
