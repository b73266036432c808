import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { applyBy, body, configMap, mapOf, ownersOf, stored, thing, thingV2, timesOf, updateBy } from './things.ts';

test('who applied first is removed first, down to the last field', () => {
  const one = stored(applyBy(undefined, body({ map: { x: '1' } }), { manager: 'm1' }));
  assert.deepEqual(applyBy(one, body(undefined), { manager: 'm1' })['spec'], undefined);
});

test('the same again is the same object with the same times', () => {
  const live = stored(applyBy(undefined, body({ a: '1' }), { manager: 'm1', second: 1 }));
  assert.deepEqual(applyBy(live, body({ a: '1' }), { manager: 'm1', second: 9 }), live);
  const shared = applyBy(live, body({ a: '1' }), { manager: 'm2', second: 9 });
  assert.deepEqual(timesOf(shared), { m2: null, m1: '2026-01-01T00:01:01Z' });
});

const conflicts: readonly [string, JsonObject, string, readonly string[]][] = [
  ['one', { a: '2' }, 'Apply failed with 1 conflict: conflict with "m1": .spec.a', ['.spec.a']],
  [
    'several',
    { a: '2', keyed: [{ name: 'x', v: '2' }], map: { k: '2' }, whole: {} },
    'Apply failed with 4 conflicts: conflicts with "m1":\n- .spec.a\n- .spec.whole\n- .spec.keyed[name="x"].v\n- .spec.map.k',
    ['.spec.a', '.spec.whole', '.spec.keyed[name="x"].v', '.spec.map.k'],
  ],
];

for (const [name, spec, message, fields] of conflicts) {
  test(`an apply in conflict: ${name}`, () => {
    const first = { a: '1', n: 1, keyed: [{ name: 'x', v: '1' }], map: { k: '1' }, whole: { k: '1' }, tags: ['t'] };
    const live = stored(applyBy(undefined, body(first), { manager: 'm1' }));
    const causes = fields.map((field) => ({ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field }));
    assert.throws(() => applyBy(live, body(spec), { manager: 'm2' }), { code: 409, message, details: { causes } });
  });
}

test('what was there before anybody was tracked belongs to before-first-apply', () => {
  const live = stored(mapOf({ a: '1' }));
  const by = { kind: configMap, manager: 'm1' };
  const message = 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a';
  assert.throws(() => applyBy(live, mapOf({ a: '2' }), by), { message });
  assert.deepEqual(ownersOf(applyBy(live, mapOf({ b: '2' }), by)), {
    'm1 Apply': { 'f:data': { 'f:b': {} } },
    'before-first-apply Update': { 'f:data': { '.': {}, 'f:a': {} } },
  });
});

test('an apply of the object does not own its status, and one of the status owns no spec', () => {
  const both = body({ a: '1' }, { status: { x: 1 } });
  const live = stored(applyBy(undefined, both, { manager: 'm1' }));
  assert.deepEqual(ownersOf(live), { 'm1 Apply': { 'f:spec': { 'f:a': {} } } });
  const status = applyBy(live, both, { manager: 'm1', subresource: 'status' });
  assert.deepEqual(ownersOf(status)['m1 Apply status'], { 'f:status': { 'f:x': {} } });
});

test('an apply in another version takes the entry of the first over', () => {
  const live = stored(applyBy(undefined, body({ a: '1', n: 1 }), { manager: 'm1', kind: thing }));
  const inV2 = { ...body({ a: '2' }), apiVersion: 'example.com/v2' };
  const next = applyBy({ ...live, apiVersion: 'example.com/v2' }, inV2, { manager: 'm1', kind: thingV2 });
  assert.deepEqual(next['spec'], { a: '2' });
  assert.deepEqual(Object.keys(ownersOf(next)), ['m1 Apply']);
});

test('an apply keeps the annotation of the client-side apply of kubectl up to date', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const live = stored(mapOf({ a: '1' }, { annotations: { [key]: '{}', other: 'x' } }));
  const by = { kind: configMap, manager: 'kubectl', force: true };
  const applied = applyBy(live, mapOf({ b: '2' }, { annotations: { [key]: 'old' } }), by);
  const { annotations } = applied['metadata'] as { annotations: JsonObject };
  assert.equal(annotations[key], '{"apiVersion":"v1","data":{"b":"2"},"kind":"ConfigMap","metadata":{"name":"web"}}\n');
  const without = stored(mapOf({ a: '1' }));
  assert.equal(JSON.stringify(applyBy(without, mapOf({ b: '2' }), by)).includes(key), false);
});

test('what the client-side apply of kubectl had set is no conflict for its server-side apply, unless it changed', () => {
  const config = JSON.stringify(mapOf({ a: '1', b: '1', gone: '1' }));
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': config };
  const made = updateBy(undefined, mapOf({ a: '1', b: '2' }, { annotations }), { kind: configMap, manager: 'client' });
  const live = stored(made);
  const by = { kind: configMap, manager: 'kubectl' };
  assert.deepEqual(applyBy(live, mapOf({ a: '3' }), by)['data'], { a: '3', b: '2' });
  const message = 'Apply failed with 1 conflict: conflict with "client" using v1: .data.b';
  assert.throws(() => applyBy(live, mapOf({ a: '3', b: '3' }), by), { message });
  assert.throws(() => applyBy(live, mapOf({ a: '3' }), { ...by, manager: 'm1' }), { code: 409 });
});

test('an annotation that is no JSON allows nothing', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{' };
  const live = stored(updateBy(undefined, mapOf({ a: '1' }, { annotations }), { kind: configMap, manager: 'client' }));
  assert.throws(() => applyBy(live, mapOf({ a: '3' }), { kind: configMap, manager: 'kubectl' }), { code: 409 });
});
