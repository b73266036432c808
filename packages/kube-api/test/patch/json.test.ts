import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiProblem } from '../../http/problem.ts';
import type { Json, JsonObject } from '../../json.ts';
import { jsonPatch } from '../../patch/json.ts';

const target: JsonObject = { data: { a: '1', 'b/c': '2', 'd~': '3' }, list: [1, 2, 3], none: null };

const applied: readonly [string, readonly Json[], JsonObject][] = [
  ['nothing', [], {}],
  ['add a key', [{ op: 'add', path: '/data/x', value: '9' }], { data: { a: '1', 'b/c': '2', 'd~': '3', x: '9' } }],
  ['add without a value gives null', [{ op: 'add', path: '/y' }], { y: null }],
  ['add into a list', [{ op: 'add', path: '/list/1', value: 9 }], { list: [1, 9, 2, 3] }],
  ['add at the end of a list', [{ op: 'add', path: '/list/-', value: 9 }], { list: [1, 2, 3, 9] }],
  ['add after the last of a list', [{ op: 'add', path: '/list/3', value: 9 }], { list: [1, 2, 3, 9] }],
  ['remove a key with an escaped slash', [{ op: 'remove', path: '/data/b~1c' }], { data: { a: '1', 'd~': '3' } }],
  ['remove a key with an escaped tilde', [{ op: 'remove', path: '/data/d~0' }], { data: { a: '1', 'b/c': '2' } }],
  ['remove from a list', [{ op: 'remove', path: '/list/0' }], { list: [2, 3] }],
  ['remove the last of a list', [{ op: 'remove', path: '/list/-1' }], { list: [1, 2] }],
  ['replace in a list', [{ op: 'replace', path: '/list/2', value: 'c' }], { list: [1, 2, 'c'] }],
  ['replace a missing key', [{ op: 'replace', path: '/new', value: 1 }], { new: 1 }],
  ['move a key', [{ op: 'move', from: '/list', path: '/data' }], { data: [1, 2, 3], list: undefined as never }],
  ['copy a key', [{ op: 'copy', from: '/data/a', path: '/list/0' }], { list: ['1', 1, 2, 3] }],
  ['copy a missing key', [{ op: 'copy', from: '/gone', path: '/data' }], { data: null }],
  ['a test that holds', [{ op: 'test', path: '/list', value: [1, 2, 3] }], {}],
  ['a test of a missing key for null', [{ op: 'test', path: '/gone', value: null }], {}],
  ['a test of the whole', [{ op: 'test', path: '', value: target }], {}],
  [
    'a key named like a prototype',
    [
      { op: 'add', path: '/list', value: 1 },
      { op: 'add', path: '/constructor', value: 2 },
    ],
    { list: 1, constructor: 2 as never },
  ],
  ['a path without a slash in front drops its first part', [{ op: 'add', path: 'x/y', value: 1 }], { y: 1 }],
];

for (const [name, patch, changes] of applied) {
  test(`a JSON patch: ${name}`, () => {
    const expected = Object.fromEntries(
      Object.entries({ ...target, ...changes }).filter(([, value]) => value !== undefined),
    );
    const before = structuredClone(target);
    assert.deepEqual(jsonPatch(target, patch), expected);
    assert.deepEqual(target, before);
  });
}

test('a JSON patch may replace the whole', () => {
  assert.deepEqual(jsonPatch(target, [{ op: 'replace', path: '', value: { a: 1 } }]), { a: 1 });
  assert.deepEqual(jsonPatch(target, null), target);
});

test('a JSON patch changes own keys only', () => {
  const patched = jsonPatch({ a: {} }, [{ op: 'add', path: '/a/__proto__', value: { polluted: true } }]);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(JSON.stringify(patched), '{"a":{"__proto__":{"polluted":true}}}');
  assert.throws(() => jsonPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }]), ApiProblem);
});

const unfit: readonly [string, Json][] = [
  ['a test that fails', { op: 'test', path: '/data/a', value: '2' }],
  ['an unknown operation', { op: 'swap', path: '/data/a' }],
  ['no operation', {}],
  ['no object', null],
  ['no path', { op: 'add', value: 1 }],
  ['the whole', { op: 'add', path: '', value: {} }],
  ['a missing parent', { op: 'add', path: '/gone/x', value: 1 }],
  ['a scalar parent', { op: 'add', path: '/data/a/x', value: 1 }],
  ['a null parent', { op: 'add', path: '/none/x', value: 1 }],
  ['a missing key', { op: 'remove', path: '/data/gone' }],
  ['an index too high', { op: 'add', path: '/list/4', value: 1 }],
  ['an index too low', { op: 'remove', path: '/list/-4' }],
  ['an index that is no number', { op: 'replace', path: '/list/x', value: 1 }],
  ['a source that is missing', { op: 'move', from: '/gone', path: '/data' }],
  ['a source under nothing', { op: 'copy', from: '/gone/x', path: '/data' }],
  ['a scalar instead of the whole', { op: 'replace', path: '', value: 'x' }],
];

for (const [name, operation] of unfit) {
  test(`a JSON patch that does not fit: ${name}`, () => {
    assert.throws(() => jsonPatch(target, [operation]), { code: 422, reason: 'Invalid', details: {} });
  });
}

const malformed: readonly [Json, string][] = [
  [{}, 'cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
  ['x', 'cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
  [[true], 'cannot unmarshal bool into Go value of type handlers.jsonPatchOp'],
  [[['x']], 'cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
  [[{ op: 1 }], 'cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
  [[{ path: {} }], 'cannot unmarshal object into Go struct field jsonPatchOp.path of type string'],
];

for (const [patch, message] of malformed) {
  test(`a malformed JSON patch: ${message}`, () => {
    assert.throws(() => jsonPatch(target, patch), { code: 400, message: `error decoding patch: json: ${message}` });
  });
}

test('a JSON patch has at most 10,000 operations', () => {
  const operation = { op: 'test', path: '/list/0', value: 1 };
  assert.deepEqual(
    jsonPatch(
      target,
      Array.from({ length: 10_000 }, () => operation),
    ),
    target,
  );
  assert.throws(
    () =>
      jsonPatch(
        target,
        Array.from({ length: 10_001 }, () => operation),
      ),
    { code: 413 },
  );
});
