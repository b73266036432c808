import { type ObjectRef, refOf } from '../../src/domain/kube-object.ts';
import type { MemoryCluster } from '../build/memory-cluster.ts';
import { reconcileOn } from '../build/run.ts';
import { service } from '../build/running-service.ts';

export const web = refOf(service);
export const backend: ObjectRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-1' };

/** What a run that a look may end asks for. */
export async function asked(cluster: MemoryCluster, about: readonly ObjectRef[] = [backend]) {
  const from = cluster.calls.length;
  const { result, reads, writes } = await reconcileOn(cluster, web, { about });
  const calls = cluster.calls.slice(from).map(({ verb, ref }) => `${verb} ${ref.kind} ${ref.name}`.trim());
  return { result, reads, writes, calls };
}
