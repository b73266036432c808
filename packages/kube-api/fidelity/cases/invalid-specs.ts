import { type Case, core, get, group, post, put } from '../case.ts';
import { configMap, deployment, image, job, pod, replicaSet, service } from './bodies.ts';

const refused = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });
const container = { name: 'web', image };

/** Objects that are refused for what they specify, and paths that lead nowhere. */
export const invalidSpecsCases: readonly Case[] = [
  refused('a Pod without containers is refused', core('pods'), pod({ containers: [] })),
  refused('a Pod without a spec is refused', core('pods'), { metadata: { name: 'web' } }),
  refused('everything wrong with a container is told at once', core('pods'), {
    ...pod({
      restartPolicy: 'Sometimes',
      containers: [
        {
          name: 'Web',
          ports: [{ containerPort: 70_000, protocol: 'ICMP' }],
          env: [{ name: '' }],
          imagePullPolicy: 'Often',
        },
        { name: 'Web', image, volumeMounts: [{ name: 'none', mountPath: '' }] },
      ],
    }),
  }),
  refused('a probe that does two things is refused', core('pods'), {
    ...pod({
      containers: [
        { ...container, readinessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 }, periodSeconds: -1 } },
      ],
    }),
  }),
  refused('a request above its limit is refused', core('pods'), {
    ...pod({ containers: [{ ...container, resources: { limits: { memory: '1Mi' }, requests: { memory: '2Mi' } } }] }),
  }),
  refused(
    'a Pod with a ServiceAccount that is not there is forbidden',
    core('pods'),
    pod({ serviceAccountName: 'nobody' }),
  ),
  refused('a Deployment without containers is refused', group('apps/v1', 'deployments'), {
    ...deployment({ template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } } }),
  }),
  refused('a Deployment whose selector does not match its template is refused', group('apps/v1', 'deployments'), {
    ...deployment({ selector: { matchLabels: { app: 'shop' } } }),
  }),
  refused(
    'a Deployment with a bad selector, strategy and number of replicas is refused',
    group('apps/v1', 'deployments'),
    {
      ...deployment({
        selector: { matchExpressions: [{ key: 'app', operator: 'Like', values: ['w'] }] },
        replicas: -1,
        strategy: { type: 'Slow' },
      }),
    },
  ),
  refused('a Deployment that can never roll is refused', group('apps/v1', 'deployments'), {
    ...deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  }),
  refused('a Deployment whose Pods restart never is refused', group('apps/v1', 'deployments'), {
    ...deployment({
      template: { metadata: { labels: { app: 'web' } }, spec: { restartPolicy: 'Never', containers: [container] } },
    }),
  }),
  refused(
    'a ReplicaSet with an empty selector is refused',
    group('apps/v1', 'replicasets'),
    replicaSet({ selector: {} }),
  ),
  refused(
    'a Job whose Pods restart always is refused',
    group('batch/v1', 'jobs'),
    job({ template: { spec: { containers: [container] } } }),
  ),
  refused('a Service without ports is refused', core('services'), service({ ports: [] })),
  refused('a Service with bad ports is refused', core('services'), {
    ...service({
      ports: [{ port: 0 }, { name: 'A', port: 80, protocol: 'ICMP' }, { name: 'b', port: 80, targetPort: 'a_b' }],
    }),
  }),
  refused('a Service with an unknown type is refused', core('services'), service({ type: 'Door' })),
  refused('an address outside the range of Services is refused', core('services'), service({ clusterIP: '192.0.2.1' })),
  refused('an ExternalName Service without a name is refused', core('services'), service({ type: 'ExternalName' })),
  refused('an EndpointSlice with a bad address is refused', group('discovery.k8s.io/v1', 'endpointslices'), {
    metadata: { name: 'web' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['web'] }, { addresses: [] }],
  }),
  refused('a Role without verbs is refused', group('rbac.authorization.k8s.io/v1', 'roles'), {
    metadata: { name: 'web' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }],
  }),
  refused(
    'a RoleBinding with bad subjects and no role is refused',
    group('rbac.authorization.k8s.io/v1', 'rolebindings'),
    {
      metadata: { name: 'web' },
      subjects: [
        { kind: 'Robot', name: 'r' },
        { kind: 'ServiceAccount', name: 'web' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Pod', name: '' },
    },
  ),
  refused('a Lease with a bad duration is refused', group('coordination.k8s.io/v1', 'leases'), {
    metadata: { name: 'web' },
    spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
  }),
  refused('an Event about another namespace is refused', core('events'), {
    metadata: { name: 'web.1' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
  }),
  {
    name: 'what is not there is not found, each in its words',
    steps: [
      get(core('pods', 'web')),
      get(group('apps/v1', 'deployments', 'web')),
      get(core('shops')),
      get('/apis/nothing.example.com/v1/shops'),
      get(core('pods', 'web/nothing')),
      post('/api/v1/namespaces/{ns}-none/configmaps', configMap()),
      get('/api/v1/namespaces/{ns}-none/configmaps'),
      get('/nothing'),
      post(core('configmaps', 'web'), configMap()),
      put(core('configmaps'), configMap()),
    ],
  },
  {
    name: 'what is there already cannot be created',
    given: [post(core('configmaps'), configMap()), post(group('apps/v1', 'deployments'), deployment())],
    steps: [post(core('configmaps'), configMap()), post(group('apps/v1', 'deployments'), deployment())],
  },
];
