import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../../../../test/house/files.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { type Waking, wakingsOf } from '../../manifests/waking.ts';

const trigger = (name: string, spec: object) => ({
  apiVersion: 'eventing.knative.dev/v1',
  kind: 'Trigger',
  metadata: { name, namespace: 'knudge' },
  spec,
});

for (const overlay of [undefined, 'per-function', 'kafka']) {
  test(`the Triggers of ${overlay ?? 'deploy'} wake the same when they are read as those of a cluster`, () => {
    const { objects, triggers } = readManifests({ root, ...(overlay !== undefined && { overlay }) });
    const { wakings, faults } = wakingsOf(objects.filter(({ kind }) => kind === 'Trigger'));
    assert.deepEqual(faults, []);
    assert.ok(wakings.length > 5);
    const bare = ({ broker, filters, subscriber }: Waking): Waking => ({
      broker,
      filters,
      subscriber: subscriber.kind === 'function' ? subscriber : { kind: 'uri', uri: '' },
    });
    const byText = (one: Waking, other: Waking): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
    assert.deepEqual(wakings.toSorted(byText), triggers.map(bare).sort(byText));
  });
}

test('a Trigger that cannot be read is left out with its fault, and one of something else than a Service wakes nothing', () => {
  const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'message', namespace: 'shop' };
  const { wakings, faults } = wakingsOf([
    trigger('sql', { broker: 'knudge', filters: [{ cesql: "type = 'a'" }], subscriber: { ref } }),
    trigger('there', { broker: 'knudge', subscriber: { ref, uri: '/message-changed' } }),
    trigger('elsewhere', { broker: 'knudge', subscriber: { uri: 'http://example.com/' } }),
    trigger('channel', { broker: 'knudge', subscriber: { ref: { ...ref, kind: 'InMemoryChannel' } } }),
    trigger('nonsense', { broker: 'knudge', filters: 'all of them' }),
  ]);
  assert.match(faults.join('\n'), /^Trigger knudge\/sql: spec\.filters\[0\]\.cesql: is not run locally/);
  assert.match(faults.join('\n'), /Trigger knudge\/nonsense: spec\.filters: must be a list$/);
  assert.deepEqual(
    wakings.map(({ subscriber }) => subscriber),
    [
      { kind: 'function', namespace: 'shop', name: 'message', path: '/message-changed' },
      { kind: 'uri', uri: 'http://example.com/' },
      { kind: 'uri', uri: '' },
    ],
  );
});
