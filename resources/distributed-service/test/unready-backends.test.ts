import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { memoryCluster } from '../../../test/build/memory-cluster.ts';
import { backendPod, distributedService, object, serverProfile } from '../../../test/build/objects.ts';
import { reconcileOn } from '../../../test/build/run.ts';
import { look, service as running } from '../../../test/build/running-service.ts';
import { discover } from '../discovery/backends.ts';

test('more backends than the status can hold are cut, and that is told', () => {
  const pods = Array.from({ length: 300 }, (_, index) => backendPod(`p${index}`, `10.0.${index >> 8}.${index & 255}`));
  const discovery = discover({
    owner: distributedService('web'),
    children: new Map(),
    inputs: new Map([['pods', pods]]),
  });
  assert.equal(discovery.backends.length, 256);
  assert.match(discovery.problems.join(), /256 of 300/);
});

test('where not all can be used, those that are ready are', () => {
  const ready = Array.from({ length: 144 }, (_, index) => backendPod(`z${index}`, `10.1.0.${index}`));
  const waiting = Array.from({ length: 256 }, (_, index) => ({
    ...backendPod(`a${index}`, ''),
    status: { podIP: `10.0.0.${index}` },
  }));
  const { backends } = discover({
    owner: distributedService('web'),
    children: new Map(),
    inputs: new Map([['pods', [...waiting, ...ready]]]),
  });
  assert.deepEqual([backends.length, backends.filter((one) => one.ready).length], [256, 144]);
});

const service = object('Service', 'db', {
  spec: { clusterIP: '10.96.0.9', ports: [{ port: 80, targetPort: 8080 }], selector: { app: 'db' } },
});
const slice = (endpoints: readonly object[]) =>
  object('discovery.k8s.io/v1 EndpointSlice', 'db-x', {
    metadata: { labels: { 'kubernetes.io/service-name': 'db' } },
    endpoints,
  });

for (const [how, input, backends] of [
  ['with a label', 'services', {}],
  ['by its name', 'hosts', { discovery: 'manual', endpoints: [{ host: 'db', port: 80, weight: 1 }] }],
] as const)
  test(`a Service that is found ${how} is ready as long as somebody behind it is, and else that is told`, () => {
    const owner = distributedService('web');
    const found = (slices: readonly ReturnType<typeof slice>[]) => {
      const given = { ...owner, spec: { ...owner.spec, backends: { ...owner.spec.backends, ...backends } } };
      const inputs = new Map([
        [input, [service]],
        ['slices', slices],
      ]);
      const discovery = discover({ owner: given as typeof owner, children: new Map(), inputs });
      return [discovery.backends.map(({ ready }) => ready), discovery.problems];
    };
    const untold = ['Service db has no endpoint that is ready'];
    assert.deepEqual(found([]), [[false], untold]);
    assert.deepEqual(found([slice([{ addresses: ['10.0.0.1'], conditions: { ready: false } }])]), [[false], untold]);
    assert.deepEqual(found([slice([{ addresses: ['10.0.0.1'], conditions: { ready: true } }])]), [[true], []]);
  });

test('a Service without a selector is ready by EndpointSlices of any labels, and the status says which ones are seen at once', async () => {
  const ports = [{ port: 8080, protocol: 'TCP' }];
  const labels = { 'frp.io/service': 'web' };
  const cluster = memoryCluster();
  for (const one of [
    serverProfile(),
    distributedService('web'),
    object('Service', 'db', { metadata: { labels }, spec: { clusterIP: '10.96.0.9', ports } }),
  ])
    cluster.put(one);
  const asks = async () => {
    await reconcileOn(cluster, refOf(running));
    const { status } = await look(cluster);
    return [status?.activeEndpoints, status?.conditions?.find(({ type }) => type === 'BackendsAvailable')?.message];
  };
  const note =
    '0 backends available; Service db has no endpoint that is ready: an EndpointSlice made by hand is seen at once only with the label frp.io/service: web, and else at the next resync';
  assert.deepEqual(await asks(), [0, note]);
  cluster.put(
    object('discovery.k8s.io/v1 EndpointSlice', 'db-1', {
      metadata: { labels: { 'kubernetes.io/service-name': 'db' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.7'] }],
      ports,
    }),
  );
  assert.deepEqual(await asks(), [1, '1 backends available']);
});
