import { customKinds } from './custom-kinds.ts';
import { groupOf, type ObjectRef } from './kube-object.ts';

/** How the API server serves a kind. */
export interface KnownKind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The built-in kinds that Knudge reads or writes, by `apiVersion/kind`; custom resources are added from crds/. */
const builtinKinds: Readonly<Record<string, KnownKind>> = {
  'v1/ConfigMap': { plural: 'configmaps', namespaced: true },
  'v1/Secret': { plural: 'secrets', namespaced: true },
  'v1/Service': { plural: 'services', namespaced: true },
  'v1/Pod': { plural: 'pods', namespaced: true },
  'v1/Namespace': { plural: 'namespaces', namespaced: false },
  'events.k8s.io/v1/Event': { plural: 'events', namespaced: true },
  'apps/v1/Deployment': { plural: 'deployments', namespaced: true },
  'apps/v1/StatefulSet': { plural: 'statefulsets', namespaced: true },
  'apps/v1/ReplicaSet': { plural: 'replicasets', namespaced: true },
  'coordination.k8s.io/v1/Lease': { plural: 'leases', namespaced: true },
  'discovery.k8s.io/v1/EndpointSlice': { plural: 'endpointslices', namespaced: true },
};

const knownKinds: ReadonlyMap<string, KnownKind> = new Map(Object.entries({ ...builtinKinds, ...customKinds }));

/** How a kind is served; undefined for one that Knudge neither reads nor writes. */
export function knownKind({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): KnownKind | undefined {
  return knownKinds.get(`${apiVersion}/${kind}`);
}

/** The kind that `group/Kind` means, in the version that Knudge uses; undefined for one that it neither reads nor writes. */
export function storedKind(name: string): Pick<ObjectRef, 'apiVersion' | 'kind'> | undefined {
  const [group = '', kind = ''] = name.split('/');
  for (const known of knownKinds.keys()) {
    const apiVersion = known.slice(0, known.lastIndexOf('/'));
    if (known === `${apiVersion}/${kind}` && groupOf(apiVersion) === group) return { apiVersion, kind };
  }
  return undefined;
}
