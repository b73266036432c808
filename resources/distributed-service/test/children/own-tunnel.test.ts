import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { backendPod, distributedService, object } from '../../../../test/build/objects.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { discover } from '../../discovery/backends.ts';
import { problemOf } from '../../spec/problem.ts';
import type { DistributedServiceSpec } from '../../types.ts';

type Backends = Partial<DistributedServiceSpec['backends']>;

interface Row {
  readonly what: string;
  readonly backends: Backends;
  readonly inputs: Readonly<Record<string, readonly KubeObject[]>>;
  readonly children?: Readonly<Record<string, KubeObject>>;
  readonly told: RegExp;
}

const owner = (backends: Backends) =>
  distributedService(
    'web',
    { backends: { discovery: 'auto', port: 8080, replicas: 1, ...backends } },
    { uid: 'uid-web' },
  );
const tunnel = { ...tunnelPod(), status: { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] } };
const ours = { 'frp.io/tunnel': 'web', 'knudge.dev/owner-uid': 'uid-web' };
const ownerReferences = [
  { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', name: 'web', uid: 'uid-web', controller: true },
];
const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
const balanced = object('Service', 'frp-web-balanced', {
  metadata: { labels: ours, ownerReferences },
  spec: { clusterIP: '10.2.0.1', selector: ours, ports },
});
const other = object('Service', 'frp-other-balanced', {
  metadata: { labels: { ...ours, 'frp.io/tunnel': 'other' } },
  spec: { clusterIP: '10.2.0.9', selector: { a: 'b' }, ports },
});
const around = object('Service', 'around', {
  spec: { clusterIP: '10.2.0.2', selector: { 'frp.io/tunnel': 'web' }, ports },
});
const slice = (...addresses: readonly string[]): KubeObject =>
  object('discovery.k8s.io/v1 EndpointSlice', 's', {
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ port: 8080 }],
  });
const manual = (host: string): Backends => ({ discovery: 'manual', endpoints: [{ host, port: 8080, weight: 1 }] });
const selector: Backends = { discovery: 'selector', selector: { matchLabels: { team: 'blue' } } };

const rows: readonly Row[] = [
  {
    what: 'a selector that finds its Pod by a label that somebody has added',
    backends: selector,
    inputs: { slices: [slice('10.1.0.1')] },
    told: /10\.1\.0\.1 is the tunnel of this service itself/,
  },
  { what: 'a label for backends on its Pod', backends: {}, inputs: { pods: [tunnel] }, told: /^$/ },
  { what: 'the address of its Pod', backends: manual('10.1.0.1'), inputs: {}, told: /tunnel of this service itself/ },
  { what: 'the other address of its Pod', backends: manual('fd00:0::1'), inputs: {}, told: /tunnel of this service/ },
  {
    what: 'the address of its balanced Service',
    backends: manual('10.2.0.1'),
    inputs: {},
    children: { balanced },
    told: /tunnel of this service itself/,
  },
  {
    what: 'its balanced Service by name',
    backends: manual('frp-web-balanced'),
    inputs: { hosts: [balanced] },
    told: /Service frp-web-balanced leads to a tunnel/,
  },
  {
    what: 'the balanced Service of another, which may lead back',
    backends: manual('frp-other-balanced'),
    inputs: { hosts: [other] },
    told: /Service frp-other-balanced leads to a tunnel/,
  },
  {
    what: 'a Service of somebody that selects its Pod, by name',
    backends: manual('around'),
    inputs: { hosts: [around] },
    told: /Service around leads to a tunnel/,
  },
  {
    what: 'a Service of somebody that selects its Pod, by its label',
    backends: {},
    inputs: { services: [around] },
    told: /Service around leads to a tunnel/,
  },
];

for (const { what, backends, inputs, children = {}, told } of rows) {
  test(`a tunnel is never its own backend: ${what}`, () => {
    const found = new Map(Object.entries({ 'tunnel-pods': [tunnel], ...inputs }));
    const discovery = discover({ owner: owner(backends), children: new Map(Object.entries(children)), inputs: found });
    assert.deepEqual(discovery.backends, []);
    assert.match(discovery.problems.join(), told);
  });
}

test('what others have beside it is found all the same', () => {
  const inputs = new Map([
    ['tunnel-pods', [tunnel]],
    ['slices', [slice('10.1.0.1', '10.0.0.1')]],
  ]);
  const { backends } = discover({ owner: owner(selector), children: new Map([['balanced', balanced]]), inputs });
  assert.deepEqual(
    backends.map(({ address }) => address),
    ['10.0.0.1'],
  );
  const pods = new Map([['pods', [backendPod('a', '10.0.0.2')]]]);
  assert.equal(discover({ owner: owner({}), children: new Map(), inputs: pods }).backends.length, 1);
});

test('slices of a Service of somebody else under the name of ours are nobody’s backends', () => {
  const foreign = object('Service', 'frp-web-backends', { spec: { selector: { app: 'theirs' } } });
  const inputs = new Map([['slices', [slice('10.0.0.1')]]]);
  const { backends } = discover({ owner: owner(selector), children: new Map([['backends', foreign]]), inputs });
  assert.deepEqual(backends, []);
});

const selectors: readonly [matchLabels: Readonly<Record<string, string>>, isRefused: boolean][] = [
  [{ 'frp.io/tunnel': 'web' }, true],
  [{ app: 'x', 'frp.io/tunnel': 'other' }, true],
  [{ 'knudge.dev/owner-uid': 'uid-1' }, true],
  [{ 'app.kubernetes.io/managed-by': 'knudge' }, true],
  [{ 'app.kubernetes.io/managed-by': 'helm' }, false],
];
for (const [matchLabels, isRefused] of selectors) {
  test(`a selector of ${JSON.stringify(matchLabels)} is ${isRefused ? 'refused: it finds tunnels' : 'taken'}`, () => {
    const { spec } = owner({ discovery: 'selector', selector: { matchLabels } });
    assert.match(problemOf(spec) ?? '', isRefused ? /in backends.selector finds the Pods of tunnels/ : /^$/);
  });
}
