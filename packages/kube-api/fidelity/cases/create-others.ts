import { type Case, core, get, group, post } from '../case.ts';
import { service } from './bodies.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const one = (name: string, path: string, body: unknown): Case => ({
  name,
  steps: [post(path, body)],
});
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const subjects = [
  { kind: 'ServiceAccount', name: 'default', namespace: '{ns}' },
  { kind: 'User', name: 'ann' },
];

/** Services, Secrets and the smaller kinds with the defaults that they get. */
export const createOthersCases: readonly Case[] = [
  one('a Service gets an address and the defaults of its ports', core('services'), service()),
  one('a headless Service gets no address', core('services'), service({ clusterIP: 'None' })),
  one('a NodePort Service gets a port of the nodes', core('services'), service({ type: 'NodePort' })),
  one(
    'a LoadBalancer Service gets both',
    core('services'),
    service({
      type: 'LoadBalancer',
      ports: [
        { name: 'http', port: 80, targetPort: 'web' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    }),
  ),
  one(
    'a LoadBalancer Service with external traffic policy Local gets a port for health checks',
    core('services'),
    service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }),
  ),
  one('an ExternalName Service gets neither', core('services'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'ExternalName', externalName: 'web.example.com' },
  }),
  one(
    'a Service without a selector may have session affinity',
    core('services'),
    service({ selector: undefined, sessionAffinity: 'ClientIP' }),
  ),
  one('the stringData of a Secret becomes data', core('secrets'), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'web' },
    stringData: { token: 'secret' },
    data: { other: 'b3RoZXI=' },
  }),
  one('a TLS Secret needs its two keys', core('secrets'), { metadata: { name: 'web' }, type: 'kubernetes.io/tls' }),
  one('a ServiceAccount gets nothing', core('serviceaccounts'), {
    metadata: { name: 'web' },
    automountServiceAccountToken: false,
  }),
  one('the ports of an EndpointSlice get their defaults', group('discovery.k8s.io/v1', 'endpointslices'), {
    metadata: { name: 'web', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'web' } }],
    ports: [{ port: 80 }],
  }),
  one('a Role keeps its rules', group(rbac, 'roles'), { metadata: { name: 'web' }, rules }),
  one('the subjects of a RoleBinding get their groups', group(rbac, 'rolebindings'), {
    metadata: { name: 'web' },
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' },
  }),
  one('a ClusterRole keeps its rules', `/apis/${rbac}/clusterroles`, {
    metadata: { name: '{ns}-web' },
    rules: [...rules, { nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  }),
  one('the subjects of a ClusterRoleBinding get their groups', `/apis/${rbac}/clusterrolebindings`, {
    metadata: { name: '{ns}-web' },
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '{ns}-web' },
  }),
  one('a Lease keeps its times to the microsecond', group('coordination.k8s.io/v1', 'leases'), {
    metadata: { name: 'web' },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2001-01-02T03:04:05.678901Z' },
  }),
  one('a Namespace gets its name as a label and its finalizer', '/api/v1/namespaces?dryRun=All', {
    metadata: { name: '{ns}-new' },
  }),
  one('a Node gets the taint of one that is not ready', '/api/v1/nodes?dryRun=All', {
    metadata: { name: '{ns}-node' },
    spec: { podCIDR: '10.3.0.0/24' },
  }),
  {
    name: 'an Event of core/v1 is the same Event in events.k8s.io/v1',
    steps: [
      post(core('events'), {
        metadata: { name: 'web.1' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: '{ns}' },
        reason: 'Seen',
        message: 'It was seen.',
        type: 'Normal',
        count: 2,
        source: { component: 'viewer' },
        firstTimestamp: '2001-01-02T03:04:05Z',
        lastTimestamp: '2001-01-02T03:05:05Z',
      }),
      get(group('events.k8s.io/v1', 'events', 'web.1')),
    ],
  },
  {
    name: 'an Event of events.k8s.io/v1 is the same Event in core/v1',
    steps: [
      post(group('events.k8s.io/v1', 'events'), {
        metadata: { name: 'web.2' },
        regarding: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: '{ns}' },
        eventTime: '2001-01-02T03:04:05.000000Z',
        action: 'Look',
        reason: 'Seen',
        note: 'It was seen.',
        type: 'Normal',
        reportingController: 'example.com/viewer',
        reportingInstance: 'viewer-1',
      }),
      get(core('events', 'web.2')),
    ],
  },
  one('a generated name begins as asked', core('configmaps'), { metadata: { generateName: 'web-' } }),
  one('a name wins over generateName', core('configmaps'), { metadata: { name: 'web', generateName: 'other-' } }),
  one('what only the server may say in metadata is not taken from the body', core('configmaps'), {
    metadata: {
      name: 'web',
      uid: '11111111-2222-4333-8444-555555555555',
      creationTimestamp: '2001-02-03T04:05:06Z',
      generation: 7,
      selfLink: '/x',
      deletionTimestamp: '2001-02-03T04:05:06Z',
      deletionGracePeriodSeconds: 5,
    },
  }),
];
