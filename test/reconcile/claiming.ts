import assert from 'node:assert/strict';
import { serviceChanged } from '../../functions/service-changed.ts';
import { conflictReason } from '../../src/decide/distributed-service/claims.ts';
import type { DistributedService, DistributedServiceSpec } from '../../src/domain/distributed-service.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../src/domain/kube-object.ts';
import type { Outcome } from '../../src/domain/plan.ts';
import { secondsOf, timeOf } from '../../src/domain/time.ts';
import { type MemoryCluster, memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';

type Expose = NonNullable<DistributedServiceSpec['expose']>;

const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const at = (name: string, namespace = 'shop'): ObjectRef => ({ ...kind, namespace, name });

/** A shared profile, and time that goes on by a second with each object. */
export function world(): MemoryCluster {
  let seconds = 0;
  const now = (): string => {
    seconds += 1;
    return timeOf(secondsOf('2026-01-01T00:00:00Z') + seconds);
  };
  const cluster = memoryCluster({ now });
  for (const name of ['default', 'other']) {
    const profile = serverProfile(name);
    cluster.put({ ...profile, metadata: { ...profile.metadata, namespace: 'knudge' } });
  }
  return cluster;
}

export function tcp(name: string, remotePort: number, over: Partial<DistributedServiceSpec> = {}): DistributedService {
  return distributedService(name, { expose: { remotePort }, ...over });
}

export function http(name: string, expose: Expose, namespace = 'shop'): DistributedService {
  return distributedService(name, { serviceType: 'http', expose }, { namespace });
}

export async function make(cluster: MemoryCluster, ...services: readonly DistributedService[]): Promise<void> {
  for (const service of services) {
    cluster.put(service);
    await reconcileOn(cluster, refOf(service));
  }
}

/** What the function does with an event about a Service: everybody whom it concerns is made right. */
export async function serviceEvent(cluster: MemoryCluster, hint: KubeObject | undefined): Promise<readonly string[]> {
  assert.ok(hint);
  const woken: string[] = [];
  const reconcile = async (ref: ObjectRef): Promise<Outcome> => {
    woken.push(`${ref.namespace}/${ref.name}`);
    return reconcileOn(cluster, ref);
  };
  const change = { id: '1', verb: 'updated', ref: refOf(hint), hint } as const;
  const settled = (): Promise<void> => Promise.resolve();
  await serviceChanged(change, { reader: cluster, controllerNamespace: 'knudge', reconcile, settled });
  return woken.sort();
}

export const balanced = (cluster: MemoryCluster, name: string, namespace = 'shop') =>
  cluster.get({ apiVersion: 'v1', kind: 'Service', namespace, name: `frp-${name}-balanced` });

export async function verdict(cluster: MemoryCluster, name: string, namespace = 'shop') {
  const { status } = (await cluster.get(at(name, namespace))) as DistributedService;
  const found = status?.conditions?.find(({ type }) => type === 'ConfigurationValid');
  const config = (await cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: `frp-${name}-config` })) as
    | { data?: Record<string, string> }
    | undefined;
  const { proxies } = JSON.parse(config?.data?.['frpc.json'] ?? '{"proxies":[]}') as { proxies: readonly unknown[] };
  return { reason: found?.reason, message: found?.message, proxies: proxies.length, address: status?.address };
}

export const isHeld = { reason: 'Valid', proxies: 1 };
export const isLost = { reason: conflictReason, proxies: 0, address: undefined };

export async function assertHas(cluster: MemoryCluster, name: string, wanted: object): Promise<void> {
  const found = await verdict(cluster, name);
  assert.deepEqual({ ...found, ...wanted }, found, JSON.stringify(found));
}
