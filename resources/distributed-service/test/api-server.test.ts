import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendPod, distributedService, object } from '../../../test/build/objects.ts';
import { discover } from '../discovery/backends.ts';

const kubernetes = object('Service', 'kubernetes', {
  spec: { clusterIP: '10.0.0.1', ports: [{ port: 443 }, { port: 8080 }] },
});

test('the API server is no backend, by its address or by its Service', () => {
  const inputs = { pods: [backendPod('a', '10.96.0.1'), backendPod('b', '10.0.0.2')], services: [kubernetes] };
  const observed = { owner: distributedService('web'), children: new Map(), inputs: new Map(Object.entries(inputs)) };
  const { backends, problems } = discover(observed, '10.96.0.1');
  assert.deepEqual(
    backends.map(({ address }) => address),
    ['10.0.0.2'],
  );
  assert.match(
    problems.join(),
    /^10\.96\.0\.1: this is the API server.*,Service kubernetes: this is a name of the API server/,
  );
});

test('the Service of the API server is no manual endpoint', () => {
  const backends = {
    discovery: 'manual',
    endpoints: [{ host: 'kubernetes', port: 443, weight: 1 }],
    replicas: 1,
  } as const;
  const inputs = new Map([['hosts', [kubernetes]]]);
  const found = discover({ owner: distributedService('web', { backends }), children: new Map(), inputs });
  assert.deepEqual(found.backends, []);
  assert.match(found.problems.join(), /this is a name of the API server/);
});
