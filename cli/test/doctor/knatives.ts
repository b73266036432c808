import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { eventingParts, servingParts } from '../../doctor/knative-parts.ts';

type Made = KubeObject & { readonly spec: object };

/** As the installation of Knative has it, but durable. */
export const channel = (kind: string): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'knative-eventing', name: 'config-br-default-channel' },
  data: { 'channel-template-spec': `apiVersion: messaging.knative.dev/v1beta1\nkind: ${kind}\n` },
});

const container = { name: 'x', image: 'x' };

function deployment(namespace: string, name: string, labels: Readonly<Record<string, string>> = {}): Made {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template },
  };
}

const sourceLabels = (name: string) => ({ 'eventing.knative.dev/sourceName': name });

/** The Pod of a source's adapter. */
export const adapterOf = (name: string): Made => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'knudge', name: `adapter-of-${name}`, labels: sourceLabels(name) },
  spec: { containers: [container] },
});

export const adapterDeployment = (name: string): Made =>
  deployment('knudge', `apiserversource-${name}`, sourceLabels(name));

/** What Knative has of its own, of each of its Brokers. */
export const deployments: readonly Made[] = [
  ...[...eventingParts.map(({ name }) => name), 'pingsource-mt-adapter'].map((name) =>
    deployment('knative-eventing', name),
  ),
  ...servingParts.map(({ name }) => deployment('knative-serving', name)),
  deployment('kourier-system', '3scale-kourier-gateway', { 'networking.knative.dev/ingress-provider': 'kourier' }),
];

export const namespaces: readonly KubeObject[] = ['knative-eventing', 'knative-serving', 'kourier-system'].map(
  (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
);
