import assert from 'node:assert/strict';
import { refOf } from '../../packages/controller/domain/kube-object.ts';
import type { LiveEndpoints } from '../../resources/distributed-service/envoy/data-plane.ts';
import { versionOf } from '../../resources/distributed-service/envoy/live-endpoints.ts';
import type { AskTunnel } from '../../resources/distributed-service/tunnel/types.ts';
import type { MemoryCluster } from './memory-cluster.ts';
import { reconcileOn } from './run.ts';
import { childRef, look, reasonOf, running, service } from './running-service.ts';
import { tunnelPod } from './tunnel-pod.ts';

const ref = refOf(service);
const healthCheck = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;
/** The service with a health check. */
export const checked = { ...service.spec, loadBalancing: { ...service.spec.loadBalancing, healthCheck } };

/** What Envoy says: what stands here, and else that it uses what it should. */
export type Said = Partial<LiveEndpoints> | 'unreachable' | 'not asked';

/** A service that runs, and what its kubelet and its Envoy say. */
export interface Scene {
  readonly cluster: MemoryCluster;
  /** Puts the Pod as its kubelet reports it, and reconciles; gives how many writes that took. */
  tell(pod: Parameters<typeof tunnelPod>[0], said: Said): Promise<number>;
  wanted(): Promise<string>;
  reason(type: string): Promise<string | undefined>;
}

export async function scene(spec: typeof service.spec = checked): Promise<Scene> {
  const cluster = await running(spec);
  const uid = (await cluster.get(ref))?.metadata.uid ?? '';
  const wanted = async (): Promise<string> => versionOf(await cluster.get(childRef('ConfigMap', 'frp-web-endpoints')));
  return {
    cluster,
    wanted,
    reason: async (type) => reasonOf(await look(cluster), type),
    tell: async (pod, said) => {
      cluster.put(tunnelPod({ uid, ...pod }));
      const version = await wanted();
      const ask: AskTunnel = async ({ address }) => {
        assert.equal(address, '10.1.0.1');
        return typeof said === 'string' ? undefined : { version, total: 1, healthy: 1, refused: 0, ...said };
      };
      const asking = said === 'not asked' ? {} : { askTunnel: ask };
      return (await reconcileOn(cluster, ref, asking)).writes;
    },
  };
}
