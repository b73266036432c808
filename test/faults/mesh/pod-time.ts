import type { Cluster } from '../../../packages/controller/cluster/cluster.ts';
import { createCluster } from '../../../packages/controller/cluster/cluster.ts';
import { message } from '../../build/objects.ts';
import { until } from '../../kube/until.ts';
import type { RunningMesh } from '../../mesh/running-mesh.ts';
import { accessTo } from '../../mesh/way-in.ts';

const namespace = 'log-trouble';

/** A mesh with a log, and a cluster in which Messages may be made. */
export async function clusterOf({ state }: RunningMesh): Promise<Cluster> {
  const url = `${state.functions['event-log'] ?? ''}/events`;
  await until('the log answers', async () => (await fetch(url)).status === 200, 90);
  const access = accessTo(state);
  const cluster = createCluster({ access, version: 'test', instance: 'test', onLostNotice: () => undefined });
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return cluster;
}

/** Milliseconds from the creation of a Message to its Pod. */
export async function podTime(cluster: Cluster, name: string): Promise<number> {
  const began = performance.now();
  await cluster.create(message(name, 'hi', { namespace }));
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace, name: `msg-${name}` };
  while ((await cluster.get(pod)) === undefined) {
    if (performance.now() - began > 60_000) throw new Error(`${name} got no Pod`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
}

/** Median, and what 99 of a hundred are below. */
export function figuresOf(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
