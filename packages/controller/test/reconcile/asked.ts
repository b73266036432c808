import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { service } from '../../../../test/build/running-service.ts';
import { type ObjectRef, refOf } from '../../domain/kube-object.ts';

export const web = refOf(service);
export const backend: ObjectRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-1' };

/** What a run that a look may end asks for. */
export async function asked(cluster: MemoryCluster, about: readonly ObjectRef[] = [backend]) {
  const from = cluster.calls.length;
  const { result, reads, writes } = await reconcileOn(cluster, web, { about });
  const calls = cluster.calls.slice(from).map(({ verb, ref }) => `${verb} ${ref.kind} ${ref.name}`.trim());
  return { result, reads, writes, calls };
}
