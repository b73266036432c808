import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { backendPod, distributedService, object } from '../../../../test/build/objects.ts';
import { discover } from '../../discovery/backends.ts';
import type { DistributedServiceSpec } from '../../types.ts';

type Backends = Partial<DistributedServiceSpec['backends']>;

interface Row {
  readonly sentence: string;
  readonly backends: Backends;
  readonly inputs: Readonly<Record<string, readonly KubeObject[]>>;
  readonly serviceType?: 'http' | 'tcp' | 'udp';
  /** `address:port`, with `-` before those that are not ready. */
  readonly found: readonly string[];
  readonly problems?: RegExp;
}

const pod = (address: string, over: object): KubeObject => ({ ...backendPod(`p-${address}`, address), ...over });
const unready = { status: { phase: 'Running', podIP: '10.0.0.2', conditions: [{ type: 'Ready', status: 'False' }] } };
const leaving = { metadata: { name: 'l', namespace: 'shop', deletionTimestamp: '2026-01-01T00:00:00Z' } };
const service = (spec: object): KubeObject => object('Service', 'db', { spec });
const slice = (endpoints: unknown, ports: unknown = [{ port: 8080 }]): KubeObject =>
  object('discovery.k8s.io/v1 EndpointSlice', 's', { endpoints, ports });
const slices = [
  object('discovery.k8s.io/v1 EndpointSlice', 's', {
    metadata: { labels: { 'kubernetes.io/service-name': 'db' } },
    endpoints: [{ addresses: ['10.0.0.1'] }],
  }),
];
const selector = { discovery: 'selector', port: 8080, selector: { matchLabels: { app: 'a' } } } as const;
const expressions: Backends = {
  ...selector,
  selector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] },
};
const ownedBy = (apiVersion: string, kind: string) => ({
  metadata: { name: 'owned', ownerReferences: [{ apiVersion, kind, name: 'hello', uid: 'u1', controller: true }] },
});
const tunnelPod = pod('10.0.0.8', { metadata: { name: 'frp-web-1', labels: { 'frp.io/tunnel': 'web' } } });
const messagePod = pod('10.0.0.9', ownedBy('myorg.dev/v1', 'Message'));
const manual = (...hosts: readonly (readonly [host: string, port: number])[]) =>
  ({ discovery: 'manual', endpoints: hosts.map(([host, port]) => ({ host, port, weight: 1 })) }) as const;

const rows: readonly Row[] = [
  {
    sentence: 'auto: ready and unready Pods, sorted',
    backends: {},
    inputs: { pods: [pod('10.0.0.2', unready), backendPod('a', '10.0.0.1')] },
    found: ['10.0.0.1:8080', '-10.0.0.2:8080'],
  },
  {
    sentence: 'auto: a Pod that is leaving is none',
    backends: {},
    inputs: { pods: [pod('10.0.0.3', leaving)] },
    found: [],
  },
  {
    sentence: 'auto: a Pod that ended is none',
    backends: {},
    inputs: { pods: [pod('10.0.0.4', { status: { phase: 'Failed', podIP: '10.0.0.4' } })] },
    found: [],
  },
  {
    sentence: 'auto: a Pod without an address is none yet',
    backends: {},
    inputs: { pods: [pod('10.0.0.5', { status: {} })] },
    found: [],
  },
  {
    sentence: 'auto: a port by its name',
    backends: { port: 'http' },
    inputs: { pods: [backendPod('a', '10.0.0.1')] },
    found: ['10.0.0.1:8080'],
  },
  {
    sentence: 'auto: a name that the Pod does not have',
    backends: { port: 'web' },
    inputs: { pods: [backendPod('a', '10.0.0.1')] },
    found: [],
    problems: /Pod a has no TCP port named "web"/,
  },
  {
    sentence: 'auto: a name that the Pod has for the other protocol',
    backends: { port: 'http' },
    serviceType: 'udp',
    inputs: { pods: [backendPod('a', '10.0.0.1')] },
    found: [],
    problems: /no UDP port/,
  },
  {
    sentence: 'auto: a Service by its cluster address',
    backends: {},
    inputs: { slices, services: [service({ clusterIP: '10.96.0.9', ports: [{ port: 8080, protocol: 'TCP' }] })] },
    found: ['10.96.0.9:8080'],
  },
  {
    sentence: 'auto: a Service by its target port',
    backends: {},
    inputs: { slices, services: [service({ clusterIP: '10.96.0.9', ports: [{ port: 80, targetPort: 8080 }] })] },
    found: ['10.96.0.9:80'],
  },
  {
    sentence: 'auto: a headless Service is none',
    backends: {},
    inputs: { services: [service({ clusterIP: 'None' })] },
    found: [],
    problems: /label its Pods instead/,
  },
  {
    sentence: 'auto: an ExternalName is none',
    backends: {},
    inputs: { services: [service({ type: 'ExternalName' })] },
    found: [],
    problems: /ExternalName/,
  },
  {
    sentence: 'auto: an address that must not be reached is none',
    backends: {},
    inputs: { pods: [backendPod('a', '169.254.169.254')] },
    found: [],
    problems: /169\.254\.169\.254/,
  },
  {
    sentence: 'selector: endpoints of the slices, without those that terminate',
    backends: selector,
    inputs: {
      slices: [
        slice([{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'], conditions: { ready: false } }]),
        slice([{ addresses: ['10.0.0.3'], conditions: { ready: true, terminating: true } }]),
      ],
    },
    found: ['10.0.0.1:8080', '-10.0.0.2:8080'],
  },
  {
    sentence: 'selector: slices without endpoints or ports',
    backends: selector,
    inputs: { slices: [slice(null, null), slice([{ addresses: ['10.0.0.1'] }], [])] },
    found: [],
  },
  {
    sentence: 'selector: expressions are served by Pods',
    backends: expressions,
    inputs: { pods: [backendPod('a', '10.0.0.1')] },
    found: ['10.0.0.1:8080'],
  },
  {
    sentence: 'selector: a tunnel and the Pod of a Message are none, whatever the expressions fit',
    backends: expressions,
    inputs: { pods: [tunnelPod, messagePod, backendPod('a', '10.0.0.1')] },
    found: ['10.0.0.1:8080'],
  },
  {
    sentence: 'selector: a Pod of a Message of another group is one',
    backends: expressions,
    inputs: { pods: [pod('10.0.0.3', ownedBy('example.com/v1', 'Message'))] },
    found: ['10.0.0.3:8080'],
  },
  {
    sentence: 'manual: addresses, each once',
    backends: manual(['10.9.9.9', 1], ['10.9.9.9', 1], ['fd00::1', 2]),
    inputs: {},
    found: ['10.9.9.9:1', 'fd00::1:2'],
  },
  {
    sentence: 'manual: a Service by its name',
    backends: manual(['db', 5432]),
    inputs: { slices, hosts: [service({ clusterIP: '10.96.0.9', ports: [{ port: 5432 }] })] },
    found: ['10.96.0.9:5432'],
  },
  {
    sentence: 'manual: a Service that does not exist',
    backends: manual(['db', 5432]),
    inputs: {},
    found: [],
    problems: /Service db does not exist/,
  },
];

for (const { sentence, backends, inputs, serviceType = 'tcp', found, problems } of rows) {
  test(sentence, () => {
    const owner = distributedService('web', {
      serviceType,
      backends: { discovery: 'auto', port: 8080, replicas: 1, ...backends },
    });
    const discovery = discover({ owner, children: new Map(), inputs: new Map(Object.entries(inputs)) });
    assert.deepEqual(
      discovery.backends.map(({ address, port, ready }) => `${ready ? '' : '-'}${address}:${port}`),
      found,
    );
    if (problems === undefined) assert.deepEqual(discovery.problems, []);
    else assert.match(discovery.problems.join(), problems);
  });
}
