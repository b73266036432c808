import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifests } from '../../src/local/manifests/read-manifests.ts';
import { servedAt } from '../../src/local/served-at.ts';
import { root } from '../house/files.ts';

const spec = readManifests({ root });
for (const [stem, service, path] of [
  ['event-recorded', 'event-log', '/event-recorded'],
  ['dead-lettered', 'event-log', '/dead-lettered'],
  ['pod-changed', 'pod-changed', '/'],
  ['frp-gate', 'frp-gate', '/'],
] as const) {
  test(`${stem} is served by ${service} at ${path}`, () => assert.deepEqual(servedAt(stem, spec), { service, path }));
}

test('a dead-letter sink of the Broker counts as one of a Trigger does', () => {
  const deadLetterSink = { kind: 'function', namespace: 'n', name: 'log', path: '/dead-lettered' } as const;
  const brokers = spec.brokers.map((one) => ({ ...one, delivery: { ...one.delivery, deadLetterSink } }));
  assert.equal(servedAt('dead-lettered', { brokers, triggers: [], channels: [] }).service, 'log');
});
