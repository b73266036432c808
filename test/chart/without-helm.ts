import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** All that the chart says of an object and kustomize does not. */
const labels = [
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'helm.sh/chart',
];
const annotations = ['helm.sh/hook', 'helm.sh/hook-delete-policy', 'helm.sh/resource-policy'];

/** Objects by kind, namespace and name, without what is for Helm alone. */
export function byName(objects: readonly KubeObject[]): Readonly<Record<string, unknown>> {
  const entries = objects.map((object) => {
    const { kind, metadata } = object;
    const key = [object.apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' ');
    return [key, { ...object, metadata: stripped(metadata) }] as const;
  });
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}

function stripped(metadata: KubeObject['metadata']): unknown {
  const { labels: itsLabels, annotations: itsAnnotations, ...rest } = metadata;
  return {
    ...rest,
    ...without('labels', itsLabels, labels),
    ...without('annotations', itsAnnotations, annotations),
  };
}

function without(key: string, map: Readonly<Record<string, string>> | undefined, names: readonly string[]) {
  const left = Object.entries(map ?? {}).filter(([name]) => !names.includes(name));
  return left.length === 0 ? {} : { [key]: Object.fromEntries(left) };
}
