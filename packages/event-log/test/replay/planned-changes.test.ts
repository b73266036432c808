import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import type { Foreseen, Write } from '../../../controller/domain/plan.ts';
import { fitted, plannedWrites } from '../../replay/planned-changes.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
const precondition = { uid: 'u', resourceVersion: '1' };
const object = (data: object, metadata: object = {}, kind = 'ConfigMap'): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'shop', ...metadata }, data }) as KubeObject;
const written = (write: Write, change: Foreseen = {}) => {
  const plan = { writes: [write], notices: [], again: false };
  const [one] = plannedWrites({ ref, plan, changes: [change] });
  assert.ok(one);
  return one;
};

suite('what each write of a plan would change', () => {
  test('of a new object is all of it', () => {
    assert.deepEqual(written({ do: 'create', object: object({ a: '1' }) }), {
      do: 'create',
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'a',
      changes: [{ field: '', after: object({ a: '1' }) }],
    });
  });

  test('of an apply is what differs from the object that is there, without what each write moves', () => {
    const live = object({ a: '1', b: '2' }, { resourceVersion: '7', generation: 2, managedFields: [{}] });
    const { changes } = written(
      { do: 'apply', object: object({ a: '3' }), live },
      { after: object({ a: '3', c: '4' }) },
    );
    assert.deepEqual(changes, [
      { field: '/data/a', before: '1', after: '3' },
      { field: '/data/b', before: '2' },
      { field: '/data/c', after: '4' },
    ]);
  });

  test('of a Secret names the keys that get another value, and no value', () => {
    const data = { 'tls.key': '[redacted]', 'a/b': '[redacted]' };
    const live = object(data, {}, 'Secret');
    const { changes } = written({ do: 'apply', object: live, live }, { after: live, keys: ['a/b'] });
    assert.deepEqual(changes, [{ field: '/data/a~1b', before: '[redacted]', after: '[redacted]' }]);
  });

  test('of a status, finalizers and replicas is the part that is written', () => {
    const condition = { type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: 't' } as const;
    const status = { conditions: [condition] };
    assert.deepEqual(
      [
        written({ do: 'status', status }, { before: { status: {} }, after: { status } }),
        written(
          { do: 'finalizers', finalizers: ['a'] },
          { before: { metadata: { finalizers: [] } }, after: { metadata: { finalizers: ['a'] } } },
        ),
        written({ do: 'scale', ref, precondition, replicas: 2 }, { after: { spec: { replicas: 2 } } }),
      ].map(({ changes }) => changes),
      [
        [{ field: '/status/conditions', after: [condition] }],
        [{ field: '/metadata/finalizers/0', after: 'a' }],
        [{ field: '/spec', after: { replicas: 2 } }],
      ],
    );
  });

  test('of a deletion is nothing but how; and a function that does not say leaves it open', () => {
    assert.deepEqual(written({ do: 'delete', ref, precondition, propagation: 'Foreground' }), {
      do: 'delete',
      kind: 'Message',
      namespace: 'shop',
      name: 'hello',
      propagation: 'Foreground',
      changes: [],
    });
    const plan = { writes: [{ do: 'status', status: { conditions: [] } }], notices: [], again: false } as const;
    assert.deepEqual(plannedWrites({ ref, plan }), [
      { do: 'status', kind: 'Message', namespace: 'shop', name: 'hello' },
    ]);
  });
});

test('a plan is shown as far as there is room, and says how much is left out', () => {
  const changes = Array.from({ length: 5 }, (_, index) => ({ field: `/data/${index}`, after: 'x'.repeat(50) }));
  const write = { do: 'apply', kind: 'ConfigMap', namespace: 'shop', name: 'a', changes } as const;
  const room = { left: 160, most: 4, longest: 10 };
  const [first, second] = [fitted(write, room), fitted(write, room)];
  assert.deepEqual(first.changes?.[0], { field: '/data/0', after: `${'x'.repeat(10)}… (40 characters more)` });
  assert.deepEqual([first.changes?.length, first.leftOut, second.changes, second.leftOut], [2, 3, [], 5]);
  assert.ok(room.left >= 0);
  const all = fitted(write, { left: 1000, most: 9, longest: 100 });
  assert.deepEqual(all, write);
  assert.equal(fitted(write, { left: 1000, most: 4, longest: 100 }).leftOut, 1);
  const { changes: _, ...silent } = write;
  assert.deepEqual(fitted(silent, room), silent);
});
