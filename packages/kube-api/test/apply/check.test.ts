import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../json.ts';
import { applyBy, body, configMap, mapOf } from './things.ts';

const untyped: readonly [string, JsonObject][] = [
  ['.spec.b: field not declared in schema', { b: 1 }],
  ['.spec.a: expected string, got &value.valueUnstructured{Value:1}', { a: 1 }],
  ['.spec.a: expected string, got &value.valueUnstructured{Value:true}', { a: true }],
  ['.spec.n: expected numeric (int or float), got string', { n: 'x' }],
  ['.spec.n: expected numeric (int or float), got bool', { n: true }],
  ['.spec.n: expected numeric (int or float), got []interface {}', { n: [] }],
  ['.spec.n: expected numeric (int or float), got map[string]interface {}', { n: {} }],
  ['.spec.on: expected boolean, got &{yes}', { on: 'yes' }],
  ['.spec.when: expected any scalar, got &{[x]}', { when: ['x'] }],
  ['.spec.map: expected map, got &{[x 1]}', { map: ['x', 1] }],
  ['.spec.tags: expected list, got &{map[a:1]}', { tags: { a: 1 } }],
  ['.spec.list[0].q: expected string, got &value.valueUnstructured{Value:1}', { list: [{ q: 1 }] }],
  ['.spec.list[1].x: field not declared in schema', { list: [{}, { x: 1 }] }],
  ['.spec.keyed[name="a"].n: field not declared in schema', { keyed: [{ name: 'a', n: 1 }] }],
  ['.spec.keyed: duplicate entries for key [name="a"]', { keyed: [{ name: 'a' }, { name: 'a' }] }],
  ['.spec.tags: duplicate entries for key [="a"]', { tags: ['a', 'a'] }],
  [".spec.tags: element 1: associative list without keys has an element that's a map type", { tags: ['a', {}] }],
  [".spec.tags: element 0: associative list without keys has an element that's an explicit null", { tags: [null] }],
  ['.spec.tags: element 0: not supported: associative list with lists as elements', { tags: [[]] }],
  ['.spec.keyed: element 0: associative list with keys may not have a null element', { keyed: [null] }],
  ['.spec.keyed: element 0: associative list with keys may not have non-map elements', { keyed: ['a'] }],
  [
    '.spec.keyed: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    { keyed: [{}] },
  ],
  [
    'errors:\n  .spec.a: expected string, got &value.valueUnstructured{Value:1}\n  .spec.n: expected numeric (int or float), got string',
    { a: 1, n: '1' },
  ],
];

for (const [message, spec] of untyped) {
  test(`an applied body that does not fit: ${message}`, () => {
    const whole = `failed to create typed patch object (/web; example.com/v1, Kind=Thing): ${message}`;
    assert.throws(() => applyBy(undefined, body(spec), { manager: 'm1' }), { code: 500, reason: '', message: whole });
  });
}

const fitting: readonly JsonObject[] = [
  { a: null, n: 1.5, on: true, when: 'now', map: null, tags: null },
  { free: { a: { b: [1, 'x', {}] } }, embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: {} } },
  { items: [{ name: 'a' }, { name: 'a', port: 1 }], whole: { a: '1' } },
];

for (const spec of fitting) {
  test(`an applied body that fits: ${JSON.stringify(spec)}`, () => {
    assert.doesNotThrow(() => applyBy(undefined, body(spec), { manager: 'm1' }));
  });
}

const refused: readonly [number, string, JsonObject][] = [
  [400, 'invalid object type: /, Kind=', {}],
  [400, 'invalid object type: /v1, Kind=Secret', { ...mapOf({}), kind: 'Secret' }],
  [400, 'invalid object type: apps/v1, Kind=ConfigMap', { ...mapOf({}), apiVersion: 'apps/v1' }],
  ...([[], [{}]] as readonly Json[]).map((managedFields): [number, string, JsonObject] => [
    400,
    'metadata.managedFields must be nil',
    mapOf({}, { managedFields }),
  ]),
  [
    409,
    'Operation cannot be fulfilled on configmaps "web": uid mismatch: the provided object specified uid u9, and no existing object was found',
    mapOf({}, { uid: 'u9' }),
  ],
];

for (const [code, message, applied] of refused) {
  test(`an applied body that is refused: ${message}`, () => {
    assert.throws(() => applyBy(undefined, applied, { kind: configMap, manager: 'm1' }), { code, message });
  });
}
