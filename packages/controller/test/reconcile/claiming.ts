import assert from 'node:assert/strict';
import { claimChanged } from '../../../../functions/claim-changed.ts';
import { conflictReason } from '../../../../resources/distributed-service/claims/reasons.ts';
import type { Claim } from '../../../../resources/distributed-service/claims/types.ts';
import type { DistributedService, DistributedServiceSpec } from '../../../../resources/distributed-service/types.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { Outcome } from '../../domain/plan.ts';
import type { ReconcileHow } from '../../domain/ports.ts';
import { secondsOf, timeOf } from '../../domain/time.ts';

type Expose = NonNullable<DistributedServiceSpec['expose']>;

const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const at = (name: string, namespace = 'shop'): ObjectRef => ({ ...kind, namespace, name });
const start = '2026-01-01T00:00:00Z';
export const after = (seconds: number): string => timeOf(secondsOf(start) + seconds);

/** A shared profile, and time that goes on by a second with each object. */
export function world(data: Readonly<Record<string, string>> = {}): MemoryCluster {
  let seconds = 0;
  const now = (): string => {
    seconds += 1;
    return after(seconds);
  };
  const cluster = memoryCluster({ now });
  for (const name of ['default', 'other']) {
    const profile = serverProfile(name, data);
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

export function claimsIn(cluster: MemoryCluster): readonly Claim[] {
  return cluster.objects().flatMap((object) => (object.kind === 'Claim' ? [object as Claim] : []));
}

/** Each as `Held tcp 7001 by shop: web`. */
export function claimsTold(cluster: MemoryCluster): readonly string[] {
  return claimsIn(cluster)
    .map(({ spec }) => {
      const who = spec.services.map(
        ({ name, locations }) => `${name}${locations.filter((one) => one !== '').join('+')}`,
      );
      return `${spec.state} ${spec.kind} ${spec.value} by ${spec.namespace}: ${who.join(', ')}`;
    })
    .sort();
}

export function claimOf(cluster: MemoryCluster, value: string): Claim {
  return claimsIn(cluster).find(({ spec }) => spec.state !== 'Waiting' && spec.value === value) ?? assert.fail(value);
}

/** What the function does with an event about a Claim: everybody whom it concerns is made right. */
export async function claimEvent(cluster: MemoryCluster, hint: KubeObject): Promise<readonly string[]> {
  const woken: string[] = [];
  const reconcile = async (ref: ObjectRef, how: ReconcileHow = {}): Promise<Outcome> => {
    woken.push(`${ref.namespace}/${ref.name}`);
    return reconcileOn(cluster, ref, how);
  };
  const change = { id: '1', verb: 'updated', ref: refOf(hint), hint } as const;
  const settled = (): Promise<void> => Promise.resolve();
  await claimChanged(change, { reader: cluster, controllerNamespace: 'knudge', reconcile, settled });
  return woken;
}

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

/** `bank/web`, or a name in `shop`. */
export async function assertHas(cluster: MemoryCluster, who: string, wanted: object): Promise<void> {
  const [name = '', namespace] = who.split('/').reverse();
  const found = await verdict(cluster, name, namespace);
  assert.deepEqual({ ...found, ...wanted }, found, JSON.stringify(found));
}
