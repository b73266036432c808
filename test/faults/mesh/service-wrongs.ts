import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { childName, childRoles, cleanupFinalizer } from '../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { childWrongs } from './child-wrongs.ts';

export type Find = (ref: Pick<ObjectRef, 'kind' | 'name'>) => KubeObject | undefined;

type Role = keyof typeof childRoles;

const policies = { 'round-robin': 'ROUND_ROBIN', random: 'RANDOM', 'least-conn': 'LeastRequest' } as const;

/**
 * What is wrong with the children of a DistributedService and what they say. Read off its spec and the Pods here, and
 * not asked of the code under test.
 */
export function serviceWrongs(
  service: DistributedService,
  objects: readonly KubeObject[],
  find: Find,
): readonly string[] {
  const { name } = service.metadata;
  const { security, backends, loadBalancing, expose } = service.spec;
  const child = (role: Role): KubeObject | undefined =>
    find({ kind: childRoles[role].kind, name: childName(name, role) });
  const roles: readonly Role[] = [
    ...(['tunnel', 'config', 'endpoints', 'balanced', 'identity'] as const),
    ...(security.mtls.enabled ? (['tls'] as const) : []),
    ...(backends.discovery === 'selector' ? (['backends'] as const) : []),
  ];
  const says = (role: Role, file: string, text: string): string[] =>
    (dataOf(child(role))[file] ?? '').includes(text) ? [] : [`${file} of ${name} does not say ${text}`];
  const addresses = addressesOf(service, objects);
  const told = (service.status?.endpoints ?? []).map(({ address }) => address).sort();
  const extra = (Object.keys(childRoles) as Role[]).filter(
    (role) => !roles.includes(role) && child(role) !== undefined,
  );
  const { replicas } = (Reflect.get(child('tunnel') ?? {}, 'spec') ?? {}) as { replicas?: number };
  return [
    ...((service.metadata.finalizers ?? []).includes(cleanupFinalizer) ? [] : [`${name} has no finalizer`]),
    ...roles.flatMap((role) => childWrongs(child(role), `${childRoles[role].kind} ${childName(name, role)}`, service)),
    ...extra.map((role) => `${childName(name, role)} is not wanted any more`),
    ...(replicas === 1 ? [] : [`the tunnel of ${name} has ${String(replicas)} replicas`]),
    ...(told.join() === addresses.join() ? [] : [`${name} tells of ${told.join()} and not of ${addresses.join()}`]),
    ...addresses.flatMap((address) => says('endpoints', fileNames.endpoints, `"${address}"`)),
    ...says('config', fileNames.envoy, policies[loadBalancing.algorithm]),
    ...(expose?.remotePort === undefined ? [] : says('config', fileNames.frpc, String(expose.remotePort))),
  ];
}

/** Of the backends as they are now, sorted. */
function addressesOf({ metadata, spec }: DistributedService, objects: readonly KubeObject[]): readonly string[] {
  const { discovery, endpoints = [], selector } = spec.backends;
  if (discovery === 'manual') return endpoints.map(({ host }) => host).sort();
  const wanted = discovery === 'auto' ? { 'frp.io/service': metadata.name } : (selector?.matchLabels ?? {});
  return objects
    .filter((object) => refOf(object).kind === 'Pod' && object.metadata.deletionTimestamp === undefined)
    .filter(({ metadata: { labels = {} } }) => Object.entries(wanted).every(([key, value]) => labels[key] === value))
    .map((pod) => String((Reflect.get(pod, 'status') as { podIP?: string } | undefined)?.podIP))
    .sort();
}

function dataOf(configMap: KubeObject | undefined): Readonly<Record<string, string>> {
  return (configMap === undefined ? {} : (Reflect.get(configMap, 'data') ?? {})) as Record<string, string>;
}
