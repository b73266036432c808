import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { isEqual, type Json, type JsonObject, objectAt } from '../json.ts';
import {
  type Controller,
  controllerRef,
  controllerReference,
  endpointSlices,
  hasLabels,
  isReady,
  jsonOf,
  partOf,
  pods,
  services,
} from './controller.ts';

const managerLabel = 'endpointslice.kubernetes.io/managed-by';
const controllerName = 'endpointslice-controller.k8s.io';
const nameLabel = 'kubernetes.io/service-name';

/** As many as the real controller puts into one slice. */
const endpointsInSlice = 100;

/** The slices of every Service with a selector: which Pods it has, and whether they are ready. */
export const endpointSliceController: Controller = {
  concerns: (changed, client) => {
    if (changed.kind === 'Service' && changed.apiVersion === 'v1') return [refOf(changed)];
    if (changed.kind === 'EndpointSlice') return [...controllerRef(changed, services), ...namedIn(changed)];
    if (changed.kind !== 'Pod') return [];
    const { namespace = '' } = changed.metadata;
    const listing = client.list({ ...services, namespace });
    return listing.filter((service) => hasLabels(changed, partOf(service, 'spec', 'selector'))).map(refOf);
  },
  reconcile: (ref, { client, now }) => {
    const service = client.get(ref);
    if (service === undefined || service.metadata.deletionTimestamp !== undefined) return;
    const selector = partOf(service, 'spec', 'selector');
    if (Object.keys(selector).length === 0 || partOf(service, 'spec')['type'] === 'ExternalName') return;
    const chosen = client
      .list({ ...pods, namespace: ref.namespace })
      .filter((pod) => hasLabels(pod, selector) && hasAddress(pod));
    const contents = contentsOf(service, chosen);
    const own = slicesOf(service, client);
    const kept = own.filter((slice) => isOwned(slice, service));
    // An empty slice stays for any owner: it says nothing that is not true.
    const left = own.filter((slice) => !kept.includes(slice));
    if (kept.length === 0 && left.length === 1 && left.every(isEmpty) && contents.every(({ endpoints }) => !endpoints))
      return;
    for (const slice of left) client.delete(refOf(slice));
    for (const content of contents) {
      const at = kept.findIndex((slice) => isEqual(jsonOf(slice)['ports'] ?? null, content['ports'] ?? null));
      const [slice] = at < 0 ? [] : kept.splice(at, 1);
      put(service, { content, now: now(), ...(slice && { slice }) }, client);
    }
    for (const slice of kept) client.delete(refOf(slice));
  },
};

/** The Service that a slice of the controller names as its own. */
function namedIn({ metadata }: KubeObject): readonly ObjectRef[] {
  const { [nameLabel]: name, [managerLabel]: manager } = metadata.labels ?? {};
  if (name === undefined || manager !== controllerName) return [];
  return [{ ...services, namespace: metadata.namespace ?? '', name }];
}

/** Found by labels, with any owner: so slices that an earlier Service of this name left are among them. */
function slicesOf({ metadata: { namespace = '', name } }: KubeObject, client: Client): readonly KubeObject[] {
  return client
    .list({ ...endpointSlices, namespace })
    .filter((slice) => namedIn(slice).some((service) => service.name === name));
}

function isOwned({ metadata }: KubeObject, service: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) === true;
}

function isEmpty(slice: KubeObject): boolean {
  const { endpoints, ports } = jsonOf(slice);
  return !endpoints && !ports;
}

function hasAddress(pod: KubeObject): boolean {
  const { podIP, phase } = partOf(pod, 'status');
  return podIP !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

/** Endpoints by their resolved ports, because a name can be another number in another Pod; one empty slice for a Service without endpoints. */
function contentsOf(service: KubeObject, chosen: readonly KubeObject[]): readonly JsonObject[] {
  const byPorts = new Map<string, { ports: Json; endpoints: Json[] }>();
  for (const pod of chosen) {
    const ports = portsOf(service, pod);
    const group = byPorts.get(JSON.stringify(ports)) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(pod, partOf(service, 'spec')['publishNotReadyAddresses'] === true));
    byPorts.set(JSON.stringify(ports), group);
  }
  if (byPorts.size === 0) return [{ ports: null, endpoints: null }];
  return [...byPorts.values()].flatMap(({ ports, endpoints }) =>
    Array.from({ length: Math.ceil(endpoints.length / endpointsInSlice) }, (_, index) => ({
      ports,
      endpoints: endpoints.slice(index * endpointsInSlice, (index + 1) * endpointsInSlice),
    })),
  );
}

function portsOf(service: KubeObject, pod: KubeObject): readonly Json[] {
  const { ports = [] } = partOf(service, 'spec');
  return (ports as readonly JsonObject[]).flatMap(
    ({ name = '', protocol = 'TCP', port = 0, targetPort = port, appProtocol }) => {
      const number = typeof targetPort === 'string' ? containerPort(pod, targetPort) : targetPort;
      if (number === undefined) return [];
      return [{ ...(appProtocol !== undefined && { appProtocol }), name, port: number, protocol }];
    },
  );
}

function containerPort(pod: KubeObject, name: string): Json | undefined {
  const { containers = [] } = partOf(pod, 'spec');
  const all = (containers as readonly JsonObject[]).flatMap(({ ports = [] }) => ports as readonly JsonObject[]);
  return all.find((port) => port['name'] === name)?.['containerPort'];
}

function endpointOf(pod: KubeObject, publishesUnready: boolean): Json {
  const { namespace = '', name, uid = '', deletionTimestamp } = pod.metadata;
  const terminating = deletionTimestamp !== undefined;
  const { podIP = '' } = partOf(pod, 'status');
  const { nodeName, hostname, subdomain } = partOf(pod, 'spec');
  return {
    addresses: [podIP],
    conditions: { ready: publishesUnready || (isReady(pod) && !terminating), serving: isReady(pod), terminating },
    ...(hostname !== undefined && subdomain !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    targetRef: { kind: 'Pod', name, namespace, uid },
  };
}

function put(
  service: KubeObject,
  { content, now, slice }: { content: JsonObject; now: string; slice?: KubeObject },
  client: Client,
): void {
  const { namespace = '', name, labels = {} } = service.metadata;
  const isHeadless = partOf(service, 'spec')['clusterIP'] === 'None';
  const wanted = {
    ...labels,
    [managerLabel]: controllerName,
    [nameLabel]: name,
    ...(isHeadless && { 'service.kubernetes.io/headless': '' }),
  };
  const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': now };
  const { ports = null, endpoints = null } = content;
  if (slice === undefined) {
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: wanted,
      annotations,
      ownerReferences: [controllerReference(service)],
    };
    client.create({
      ...endpointSlices,
      addressType: 'IPv4',
      ports,
      endpoints,
      metadata: metadata as unknown as KubeObject['metadata'],
    } as KubeObject);
    return;
  }
  const live = jsonOf(slice);
  const isSame = isEqual(live['endpoints'] ?? null, endpoints) && isEqual(objectAt(live, 'metadata', 'labels'), wanted);
  if (isSame) return;
  client.update({ ...slice, endpoints, metadata: { ...slice.metadata, labels: wanted, annotations } } as KubeObject);
}
