import type { Access } from '../../controller/cluster/access.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { claimPodAddresses, serviceHere } from './addresses.ts';
import { type Collection, followKind } from './collection.ts';
import { createNodePods } from './node-pods.ts';
import type { Pod } from './pod-spec.ts';
import { createPodWriter } from './pod-writer.ts';
import type { Machine } from './program.ts';
import { createServiceProxy, type Service, type Slice } from './service-proxy.ts';

export interface NodeParts {
  readonly access: Access;
  readonly version: string;
  readonly machine: Machine;
  /** Where each Pod gets a folder of its own. */
  readonly folder: string;
  /** Addresses here of what is no Service of the core group, by `name.namespace`: functions. */
  readonly places: Readonly<Record<string, string>>;
  /** Called with what a person should know, in a sentence. */
  readonly warn: (sentence: string) => void;
  /** Milliseconds before a container is started again for the second time; ten seconds if absent, as a kubelet waits. */
  readonly backOffMs?: number;
}

/** Stands for the kubelet and the kube-proxy of one node: runs its Pods as processes. Resolves when it knows all objects. */
export async function startNode(parts: NodeParts): Promise<{ close(graceMs: number): Promise<void> }> {
  const { access, version, folder, machine, warn, backOffMs = 10_000 } = parts;
  const transport = createTransport({ access, version });
  const writer = createPodWriter(transport, warn);
  const known = new Map<string, Collection>();
  const find = (kind: string, namespace: string, name: string) => known.get(kind)?.get(namespace, name);
  const lookUp = (host: string) => placeOf(host, known.get('Service'), parts.places);
  const addresses = await claimPodAddresses();
  const pods = createNodePods({ machine, folder, backOffMs, find, lookUp, writer, addresses, warn });
  const proxy = createServiceProxy({
    slicesOf: (namespace, name) => slicesOf(known.get('EndpointSlice'), namespace, name),
    failed: (what) => warn(`a Service cannot be reached: ${what}`),
  });

  function seeService(service: Service, isGone: boolean): void {
    proxy.set(service, isGone);
    const { spec, status } = service;
    const isSaid = (status?.loadBalancer?.ingress ?? []).length > 0;
    if (spec?.type === 'LoadBalancer' && !isSaid && !isGone) writer.address(service, '127.0.0.1');
  }

  function see(object: KubeObject, isGone: boolean): void {
    if (object.kind === 'Pod') pods.see(object as Pod, isGone);
    if (object.kind === 'Service') seeService(object, isGone);
    if (mounted.includes(object.kind)) pods.refresh();
  }

  // Pods last: what they mount is known by then.
  for (const [apiVersion, kind] of kinds) {
    known.set(kind, await followKind({ apiVersion, kind, access, version, transport, changed: see }));
  }
  return {
    close: async (graceMs) => {
      await pods.close(graceMs);
      addresses.close();
      proxy.close();
      await Promise.all([...known.values()].map((one) => one.close()));
      transport.close();
    },
  };
}

/** What files of Pods are made from: a Service's address stands in them. */
const mounted = ['ConfigMap', 'Secret', 'Service'];

const kinds = [
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['v1', 'Service'],
  ['v1', 'Pod'],
] as const;

function slicesOf(slices: Collection | undefined, namespace: string, name: string): readonly Slice[] {
  return (slices?.all() ?? []).filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === name,
  );
}

/** Where a host of the cluster is on this machine: the name of a Service, its address, or the name of a function. */
function placeOf(host: string, services: Collection | undefined, places: NodeParts['places']): string | undefined {
  const [name = '', namespace = ''] = host.split('.');
  const all: readonly Service[] = services?.all() ?? [];
  const isNamed = ({ metadata }: Service): boolean => metadata.name === name && metadata.namespace === namespace;
  const address = all.find((one) => one.spec?.clusterIP === host || isNamed(one))?.spec?.clusterIP;
  return address?.startsWith('10.') ? serviceHere(address) : places[`${name}.${namespace}`];
}
