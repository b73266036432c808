import { isDefinition, storedVersion } from './custom-resource.ts';
import { groupOf, type KubeObject, type ObjectRef } from './kube-object.ts';
import type { Shape } from './shape.ts';

/** How the API server serves a kind. */
export interface KnownKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Of a custom resource that is a child: how two of its objects are compared. */
  readonly shape?: Shape;
}

/** Built-in kinds, each in the version that is used here, by `apiVersion/kind`; those of a controller are added to them. */
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
  'v1/Node': { plural: 'nodes', namespaced: false },
  'v1/PersistentVolume': { plural: 'persistentvolumes', namespaced: false },
  'v1/PersistentVolumeClaim': { plural: 'persistentvolumeclaims', namespaced: true },
  'v1/ServiceAccount': { plural: 'serviceaccounts', namespaced: true },
  'apps/v1/DaemonSet': { plural: 'daemonsets', namespaced: true },
  'autoscaling/v2/HorizontalPodAutoscaler': { plural: 'horizontalpodautoscalers', namespaced: true },
  'batch/v1/CronJob': { plural: 'cronjobs', namespaced: true },
  'batch/v1/Job': { plural: 'jobs', namespaced: true },
  'networking.k8s.io/v1/Ingress': { plural: 'ingresses', namespaced: true },
  'networking.k8s.io/v1/NetworkPolicy': { plural: 'networkpolicies', namespaced: true },
  'policy/v1/PodDisruptionBudget': { plural: 'poddisruptionbudgets', namespaced: true },
};

/** The built-in kind of this name, and how it is served; undefined for one that is not in the list. */
export function builtinKindNamed(kind: string): (Pick<ObjectRef, 'apiVersion' | 'kind'> & KnownKind) | undefined {
  const [name, known] = Object.entries(builtinKinds).find(([one]) => one.endsWith(`/${kind}`)) ?? [];
  return name === undefined || known === undefined
    ? undefined
    : { apiVersion: name.slice(0, -kind.length - 1), kind, ...known };
}

const knownKinds = new Map<string, KnownKind>(Object.entries(builtinKinds));

/**
 * Adds the custom resources of a controller, by `apiVersion/kind`: the generated list of its kinds does so when it is loaded. A
 * kind that is added again without its shape keeps the shape that it has.
 */
export function addKinds(kinds: Readonly<Record<string, KnownKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) knownKinds.set(name, { ...knownKinds.get(name), ...kind });
}

/**
 * What a user does about a kind that is not known, as the end of a message. `name` is `apiVersion/kind`; the plural is named where it is
 * known.
 */
export function howToAdd(name: string, plural = '<plural>'): string {
  const call = `addKinds({ '${name}': { plural: '${plural}', namespaced: <true or false> } })`;
  return `call ${call} in functions/table.ts or in the file that names the kind, or, for a custom resource, add its definition to crds/ and run \`npx knudge generate\``;
}

/** How the API server serves the custom resources of these objects, in the version that it stores, by `apiVersion/kind`. */
export function kindsDefinedBy(objects: readonly KubeObject[]): Readonly<Record<string, KnownKind>> {
  return Object.fromEntries(
    objects.filter(isDefinition).map((definition) => {
      const { names, scope } = definition.spec;
      const kind = { plural: names.plural, namespaced: scope === 'Namespaced' };
      return [`${storedVersion(definition)}/${names.kind}`, kind];
    }),
  );
}

/** The kind that is served under a plural, in whatever group; undefined for one that Knudge neither reads nor writes. */
export function kindOfPlural(plural: string): string | undefined {
  for (const [name, kind] of knownKinds) if (kind.plural === plural) return name.slice(name.lastIndexOf('/') + 1);
  return undefined;
}

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
