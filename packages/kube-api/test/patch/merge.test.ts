import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../json.ts';
import { mergePatch } from '../../patch/merge.ts';

/** The examples of RFC 7386, as far as target and patch are objects. */
const rows: readonly [JsonObject, JsonObject, JsonObject][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: 'text' }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
];

for (const [target, patch, expected] of rows) {
  test(`a merge patch ${JSON.stringify(patch)} of ${JSON.stringify(target)}`, () => {
    assert.deepEqual(mergePatch(target, patch), expected);
  });
}

test('a merge patch changes own keys only', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject;
  assert.equal(JSON.stringify(mergePatch({}, patch)), '{"__proto__":{"polluted":true}}');
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

const refused: readonly [Json, string][] = [
  [null, 'Invalid JSON Patch'],
  [[], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
  [true, 'error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
];

for (const [patch, message] of refused) {
  test(`a merge patch that is ${JSON.stringify(patch)} is refused`, () => {
    assert.throws(() => mergePatch({}, patch), { code: 400, message });
  });
}
