import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { createKinds } from '../schema/kinds.ts';
import { conform, kindOf } from './conforming.ts';

const kinds = createKinds();
const make = (kind: string, body: object) => conform(kindOf(kinds, kind), { metadata: { name: 'n' }, ...body }).object;
const change = (kind: string, current: JsonObject, body: object) =>
  conform(kindOf(kinds, kind), { metadata: { name: 'n' }, ...body }, { current }).object;
const container = { name: 'c', image: 'i' };
const spec = (kind: string, body: object) => objectAt(make(kind, { spec: body }), 'spec');

test('a Pod gets the defaults of its parts', () => {
  const { containers, volumes } = spec('Pod', {
    hostNetwork: true,
    automountServiceAccountToken: false,
    initContainers: [{ name: 'a', image: 'r:5000/x@sha256:1' }],
    containers: [
      {
        ...container,
        image: 'r:5000/x:1',
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: 1 } },
        env: [
          { name: 'N', value: '' },
          { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        livenessProbe: { httpGet: { port: 'http' } },
        stdin: false,
      },
    ],
    volumes: [
      { name: 'e' },
      { name: 'h', hostPath: { path: '/' } },
      { name: 'm', configMap: { name: 'm' } },
      { name: 'd', downwardAPI: {} },
      { name: 's', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    ],
  });
  assert.deepEqual(containers, [
    {
      ...container,
      image: 'r:5000/x:1',
      imagePullPolicy: 'IfNotPresent',
      ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
      resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
      env: [{ name: 'N' }, { name: 'F', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
      livenessProbe: {
        httpGet: { port: 'http', path: '/', scheme: 'HTTP' },
        failureThreshold: 3,
        periodSeconds: 10,
        successThreshold: 1,
        timeoutSeconds: 1,
      },
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    },
  ]);
  assert.deepEqual(volumes, [
    { name: 'e', emptyDir: {} },
    { name: 'h', hostPath: { path: '/', type: '' } },
    { name: 'm', configMap: { name: 'm', defaultMode: 420 } },
    { name: 'd', downwardAPI: { defaultMode: 420 } },
    {
      name: 's',
      projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 420 },
    },
  ]);
});

test('a Pod gets an account, its token, tolerations and a rank', () => {
  const mounted = { name: 't', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists' };
  const pod = make('Pod', {
    spec: {
      serviceAccount: 'a',
      tolerations: [own],
      volumes: [{ name: 't' }],
      containers: [
        { ...container, volumeMounts: [mounted] },
        { name: 'd', image: 'i' },
      ],
    },
  });
  const made = objectAt(pod, 'spec');
  const [first, second] = made['containers'] as readonly JsonObject[];
  assert.deepEqual(first?.['volumeMounts'], [mounted]);
  assert.deepEqual(second?.['volumeMounts'], [
    { name: 'kube-api-access-rrrrr', readOnly: true, mountPath: mounted.mountPath },
  ]);
  assert.deepEqual(made['tolerations'], [
    own,
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ]);
  const { serviceAccountName, priority, preemptionPolicy } = made;
  assert.deepEqual([serviceAccountName, priority, preemptionPolicy], ['a', 0, 'PreemptLowerPriority']);
  assert.deepEqual(pod['status'], { phase: 'Pending', qosClass: 'BestEffort' });
  const running = change('Pod', pod, { ...pod, status: { phase: 'Running' } });
  assert.deepEqual(running['status'], { phase: 'Running', qosClass: 'BestEffort' });
});

for (const [limits, requests, rank] of [
  [{ cpu: '1', memory: '1Gi' }, {}, 'Guaranteed'],
  [{ cpu: '1' }, {}, 'Burstable'],
  [{}, { memory: '1Gi' }, 'Burstable'],
] as const) {
  test(`limits ${JSON.stringify(limits)} and requests ${JSON.stringify(requests)} make a Pod ${rank}`, () => {
    const pod = make('Pod', { spec: { containers: [{ ...container, resources: { limits, requests } }] } });
    assert.equal(objectAt(pod, 'status')['qosClass'], rank);
  });
}

const rows: readonly (readonly [kind: string, body: object, part: string, wanted: unknown])[] = [
  [
    'Service',
    { spec: { clusterIP: 'None' } },
    'spec',
    {
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  ],
  ['Namespace', {}, 'status', { phase: 'Active' }],
  ['Namespace', {}, 'metadata', { name: 'n', uid: 'uid', labels: { 'kubernetes.io/metadata.name': 'n' } }],
  [
    'Node',
    { spec: { podCIDR: '10.0.0.0/24' } },
    'spec',
    {
      podCIDR: '10.0.0.0/24',
      podCIDRs: ['10.0.0.0/24'],
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    },
  ],
  ['Secret', { data: { a: '' }, stringData: { b: 'c' } }, 'data', { a: '', b: 'Yw==' }],
  ['Secret', {}, 'type', 'Opaque'],
  ['ConfigMap', { data: { a: null }, binaryData: {} }, 'data', { a: '' }],
  ['ConfigMap', { binaryData: {}, immutable: false }, 'immutable', false],
  ['rbac.authorization.k8s.io/v1 Role', { rules: [] }, 'rules', null],
  [
    'rbac.authorization.k8s.io/v1 RoleBinding',
    { subjects: [{ kind: 'User', name: 'u' }] },
    'subjects',
    [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
  ],
  ['discovery.k8s.io/v1 EndpointSlice', { ports: [{ port: 1 }] }, 'ports', [{ port: 1, name: '', protocol: 'TCP' }]],
  ['coordination.k8s.io/v1 Lease', { spec: { holderIdentity: '' } }, 'spec', { holderIdentity: '' }],
  ['Event', {}, 'eventTime', null],
  ['apps/v1 Deployment', { spec: { strategy: { type: 'Recreate' } } }, 'status', {}],
  ['apps/v1 ReplicaSet', {}, 'status', { replicas: 0 }],
];

for (const [kind, body, part, wanted] of rows) {
  test(`${kind} ${JSON.stringify(body)} has ${part} ${JSON.stringify(wanted)}`, () => {
    assert.deepEqual(make(kind, body)[part], wanted);
  });
}

test('a Job is told from others by its uid, unless it says how itself', () => {
  const body = { template: { spec: { containers: [container] } } };
  const job = make('batch/v1 Job', { spec: body });
  const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': 'uid' } };
  assert.deepEqual(objectAt(job, 'spec')['selector'], selector);
  assert.deepEqual(objectAt(job, 'metadata')['labels'], objectAt(job, 'spec', 'template', 'metadata')['labels']);
  const manual = spec('batch/v1 Job', { ...body, manualSelector: true, backoffLimitPerIndex: 1, completions: 2 });
  assert.deepEqual([manual['selector'], manual['backoffLimit'], manual['parallelism']], [undefined, 0x7fffffff, 1]);
});
