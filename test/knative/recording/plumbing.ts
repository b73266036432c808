import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { object } from '../../build/objects.ts';
import { places } from '../places.ts';
import { home } from '../site.ts';
import { receiverUrl, refusing } from './receiver.ts';

const namespace = places.events;
const account = 'recorder';
const at = { metadata: { namespace } };

/** Ways of events to the receiver: past the Broker, or through one of their own. */
export const ways = {
  objects: '/objects',
  references: '/references',
  fn: '/fn',
  refusing,
  dead: '/dead',
} as const;

/** ConfigMaps whose events nobody takes: their names say how they are answered. */
export const refused = ['t400', 't500'] as const;

const delivery = { retry: 3, backoffPolicy: 'exponential', backoffDelay: 'PT0.2S' } as const;

const watched = {
  objects: [
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'v1', kind: 'Service' },
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' },
    { apiVersion: 'myorg.dev/v1', kind: 'Message' },
  ],
  references: [
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'v1', kind: 'Secret' },
    { apiVersion: 'v1', kind: 'Service' },
    // Of the whole cluster, and nobody minds one more.
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
  ],
  claims: [{ apiVersion: 'frp.io/v1beta1', kind: 'Claim' }],
  broker: [
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'v1', kind: 'Pod' },
  ],
} as const;

const broker = { ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'default' } };

/** What brings events to the receiver, and the Broker first, so that it is deleted before its Triggers. */
export const plumbing: readonly KubeObject[] = [
  object('eventing.knative.dev/v1 Broker', 'default', {
    ...at,
    spec: { delivery },
  }),
  ...rights(),
  source('objects', 'Resource', { uri: `${receiverUrl}${ways.objects}` }),
  source('references', 'Reference', { uri: `${receiverUrl}${ways.references}` }),
  source('claims', 'Resource', { uri: `${receiverUrl}${ways.objects}` }),
  source('broker', 'Resource', broker),
  object('sources.knative.dev/v1 PingSource', 'tick', {
    ...at,
    spec: { schedule: '*/5 * * * * *', contentType: 'application/json', data: '{"resync":true}', sink: broker },
  }),
  // As few as can be: each takes Knative a while.
  trigger('all', ways.fn, {}),
  trigger('refused', ways.refusing, {
    filters: [{ any: refused.map((name) => ({ exact: { kind: 'ConfigMap', name } })) }],
    delivery: { ...delivery, deadLetterSink: { uri: `${receiverUrl}${ways.dead}` } },
  }),
];

function source(name: keyof typeof watched, mode: string, sink: object): KubeObject {
  // Claims are where Knudge is.
  const where = { matchLabels: { 'kubernetes.io/metadata.name': name === 'claims' ? home : namespace } };
  return object('sources.knative.dev/v1 ApiServerSource', name, {
    ...at,
    spec: { serviceAccountName: account, mode, resources: watched[name], namespaceSelector: where, sink },
  });
}

function trigger(name: string, way: string, more: Readonly<Record<string, unknown>>): KubeObject {
  const spec = { broker: 'default', subscriber: { uri: `${receiverUrl}${way}` }, ...more };
  return object('eventing.knative.dev/v1 Trigger', name, { ...at, spec });
}

function rights(): readonly KubeObject[] {
  const group = 'rbac.authorization.k8s.io';
  const resources = ['configmaps', 'pods', 'services', 'secrets', 'deployments', 'endpointslices'];
  const kinds = [...resources, 'distributedservices', 'claims', 'messages', 'priorityclasses'];
  const apiGroups = ['', 'apps', 'discovery.k8s.io', 'frp.io', 'myorg.dev', 'scheduling.k8s.io'];
  const name = 'knudge-recorder';
  return [
    object('ServiceAccount', account, at),
    {
      ...cluster(`${group}/v1`, 'ClusterRole', name),
      ...{ rules: [{ apiGroups, resources: kinds, verbs: ['get', 'list', 'watch'] }] },
    },
    {
      ...cluster(`${group}/v1`, 'ClusterRoleBinding', name),
      ...{
        roleRef: { apiGroup: group, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
      },
    },
  ];
}

function cluster(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { name } };
}
