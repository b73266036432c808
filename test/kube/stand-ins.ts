import type { KubeObject } from '../../src/domain/kube-object.ts';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const kinds: readonly Kind[] = [
  { group: 'eventing.knative.dev', version: 'v1', kind: 'Broker' },
  { group: 'eventing.knative.dev', version: 'v1', kind: 'Trigger' },
  { group: 'eventing.knative.dev', version: 'v1alpha1', kind: 'EventPolicy' },
  { group: 'serving.knative.dev', version: 'v1', kind: 'Service' },
  { group: 'sources.knative.dev', version: 'v1', kind: 'ApiServerSource' },
  { group: 'sources.knative.dev', version: 'v1', kind: 'PingSource' },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PodMonitor' },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PrometheusRule' },
];

/** CRDs of Knative and the Prometheus Operator that take any spec: `test/house` holds the specs to Knative's types. */
export const standIns: readonly KubeObject[] = kinds.map(({ group, version, kind }) => {
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  } as KubeObject;
});
