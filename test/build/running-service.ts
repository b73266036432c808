import assert from 'node:assert/strict';
import { refOf } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { type KeptCluster, type MemoryCluster, memoryCluster } from './memory-cluster.ts';
import { backendPod, distributedService, serverProfile } from './objects.ts';
import { reconcileOn, rolledOut } from './run.ts';

export const service = distributedService('web');

/** The name of something in the namespace of the service. */
export const childRef = (kind: string, name: string, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  namespace: 'shop',
  name,
});

/** The same service with certificates. */
export const secured = { ...service.spec, security: { mtls: { enabled: true, autoGenerate: true } } };

export const tunnel = childRef('Deployment', 'frp-web', 'apps/v1');

/** What the Deployment controller and the kubelet do: the tunnel comes up, and an event says so. */
export async function startTunnel(cluster: MemoryCluster): Promise<void> {
  const deployment = await cluster.get(tunnel);
  assert.ok(deployment);
  cluster.put(rolledOut(deployment));
  await reconcileOn(cluster, refOf(service));
}

type Options = NonNullable<Parameters<typeof memoryCluster>[0]>;

const begun = new Map<string, Promise<KeptCluster>>();

/** A cluster with one service that runs, with one backend. Those of one spec begin with the same objects, made once. */
export async function running(spec = service.spec, options: Options = {}): Promise<MemoryCluster> {
  if (Object.keys(options).length > 0) return started(spec, options);
  const key = JSON.stringify(spec);
  const kept = begun.get(key) ?? started(spec, {}).then((cluster) => cluster.keep());
  begun.set(key, kept);
  return memoryCluster({ from: await kept });
}

async function started(spec: DistributedService['spec'], options: Options): Promise<MemoryCluster> {
  const cluster = memoryCluster(options);
  for (const one of [serverProfile(), { ...service, spec }, backendPod('web-1', '10.0.0.1')]) cluster.put(one);
  await reconcileOn(cluster, refOf(service));
  await startTunnel(cluster);
  return cluster;
}

/** The service as it is now. */
export async function look(cluster: MemoryCluster): Promise<DistributedService> {
  return (await cluster.get(refOf(service))) as DistributedService;
}

export function reasonOf({ status }: DistributedService, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.reason;
}
