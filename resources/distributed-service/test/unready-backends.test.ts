import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendPod, distributedService, object } from '../../../test/build/objects.ts';
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

const service = object('Service', 'db', { spec: { clusterIP: '10.96.0.9', ports: [{ port: 80, targetPort: 8080 }] } });
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
