import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../../../test/house/files.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { addressAmong, servedAt } from '../served-at.ts';

const spec = readManifests({ root });
for (const [stem, service, path] of [
  ['event-recorded', 'event-log', '/event-recorded'],
  ['dead-lettered', 'event-log', '/dead-lettered'],
  ['pod-changed', 'distributed-service', '/pod-changed'],
  ['message-changed', 'message-changed', '/'],
  ['frp-gate', 'frp-gate', '/'],
] as const) {
  test(`${stem} is served by ${service} at ${path}`, () => assert.deepEqual(servedAt(stem, spec), { service, path }));
}

test('a dead-letter sink of the Broker counts as one of a Trigger does', () => {
  const deadLetterSink = { kind: 'function', namespace: 'n', name: 'log', path: '/dead-lettered' } as const;
  const brokers = spec.brokers.map((one) => ({ ...one, delivery: { ...one.delivery, deadLetterSink } }));
  assert.equal(servedAt('dead-lettered', { brokers, triggers: [], channels: [] }).service, 'log');
});

for (const [what, services, wanted] of [
  [
    'at its path in the Service that serves it',
    { 'distributed-service': 'http://a', log: 'http://b' },
    'http://a/pod-changed',
  ],
  ['of its own, where each function has a Service', { 'pod-changed': 'http://c' }, 'http://c/'],
  ['nowhere, where there is neither', { log: 'http://b' }, undefined],
] as const) {
  test(`among the addresses of a mesh that of pod-changed is ${what}`, () => {
    const found = addressAmong(services, 'pod-changed', spec);
    assert.equal(found && new URL(found.path, found.url).href, wanted);
  });
}
