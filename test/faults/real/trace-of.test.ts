import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { object } from '../../build/objects.ts';
import type { SeenChange } from './namespace-log.ts';
import { traceOf } from './trace-of.ts';
import { createWrites } from './writes.ts';

function version(resourceVersion: string, name = 'web', uid = 'u-1'): KubeObject {
  return object('ConfigMap', name, { metadata: { uid, resourceVersion } });
}

function write(at: number, verb: TracedCall['verb'], body: unknown): TracedCall {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'web' };
  const done = { status: 200, body };
  return { at, run: 7, verb, resource: 'configmaps', ref, query: {}, body: {}, done, seen: done };
}

function changed(seen: number, object: KubeObject, type: SeenChange['type'] = 'MODIFIED'): SeenChange {
  return { seen, type, object };
}

const rest = {
  marks: { lifted: 90, rest: 91, end: 92 },
  objects: [],
  resting: [],
  output: [],
  parents: [],
  now: 0,
  answers: [],
};

test('a change stands behind the call that made it, and what the cluster wrote before it stands before it', () => {
  const writes = createWrites(() => true);
  const [create, touch, remove] = [
    write(5, 'create', version('12')),
    // What changes nothing is answered with the version that it insisted on.
    { ...write(20, 'apply', version('14')), body: { metadata: { resourceVersion: '14' } } },
    write(30, 'delete', { kind: 'Status', metadata: {}, details: { uid: 'u-1' } }),
  ];
  for (const call of [create, touch, remove]) writes.byRun(call, call.at);
  writes.byUser(version('13'), 'write', 10);
  const changes = [
    changed(6, version('12'), 'ADDED'),
    changed(8, version('11', 'slice', 'u-2'), 'ADDED'),
    changed(11, version('13')),
    changed(12, version('14')),
    changed(40, version('15'), 'DELETED'),
  ];
  assert.deepEqual(writes.owed(changes), []);
  const trace = traceOf({ ...rest, calls: [create, touch, remove], changes, since: 0, writes });
  const told = trace.changes.map(({ at, by, object: { metadata } }) => {
    const call = by.who === 'run' ? ` by run ${String(by.run)}, call ${String(by.call)}` : '';
    return `${String(at)}: ${metadata.name} ${metadata.resourceVersion ?? ''} ${by.who}${call}`;
  });
  assert.deepEqual(told, [
    '2: slice 11 cluster',
    '3: web 12 run by run 7, call 1',
    '4: web 13 user',
    '5: web 14 cluster',
    '8: web 15 run by run 7, call 7',
  ]);
  assert.deepEqual(
    trace.calls.map(({ at }) => at),
    [1, 6, 7],
  );
});

test('a write that no watch has told of is owed, and what was before the scenario is no part of the trace', () => {
  const writes = createWrites(() => true);
  writes.byUser(version('13'), 'write', 10);
  writes.byUser(version('20', 'other', 'u-3'), 'delete', 11);
  assert.deepEqual(writes.owed([changed(1, version('12'))]), ['write by the user', 'delete by the user']);
  const trace = traceOf({ ...rest, calls: [], changes: [changed(1, version('12'))], since: 5, writes });
  assert.deepEqual(trace.changes, []);
});

test('an object that was being deleted is owed until it is gone, once its last finalizer has been taken', () => {
  const held = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['held'] };
  const before = object('ConfigMap', 'web', { metadata: { uid: 'u-1', resourceVersion: '13' } });
  const going = object('ConfigMap', 'web', { metadata: { uid: 'u-1', resourceVersion: '14', ...held } });
  const left = object('ConfigMap', 'web', {
    metadata: { uid: 'u-1', resourceVersion: '14', deletionTimestamp: held.deletionTimestamp },
  });
  const begun = [changed(1, before, 'ADDED'), { ...changed(2, going), before }];
  const ended = [...begun, { ...changed(3, version('15'), 'DELETED'), before: going }];
  const byUser = createWrites(() => true);
  byUser.byUser(before, 'delete', 1);
  assert.deepEqual(byUser.owed(begun), []);
  byUser.byUser(left, 'write', 2);
  assert.deepEqual(byUser.owed(begun), ['write by the user']);
  assert.deepEqual(byUser.owed(ended), []);
  const byRun = createWrites(() => true);
  byRun.byUser(before, 'delete', 1);
  byRun.byRun(write(20, 'update', left), 20);
  assert.deepEqual(byRun.owed(begun), ['update of configmaps web']);
  assert.deepEqual(byRun.owed(ended), []);
});
