import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../json.ts';
import { strategicPatch } from '../../patch/strategic.ts';
import type { Schema } from '../../schema/schema.ts';

const item: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    tags: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
  },
};
const schema: Schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
      'x-kubernetes-patch-merge-key': 'name',
      items: item,
    },
    keyless: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: item },
    tags: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
    plain: { type: 'array', items: { type: 'string' } },
    whole: { type: 'object', 'x-kubernetes-patch-strategy': 'replace', properties: {} },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const rows: readonly [string, JsonObject, Json, JsonObject][] = [
  ['null is nothing', { map: { a: '1' } }, null, { map: { a: '1' } }],
  [
    'objects are merged and null removes',
    { map: { a: '1', b: '2' } },
    { map: { a: null, c: '3' } },
    { map: { b: '2', c: '3' } },
  ],
  ['null of a missing key is nothing', {}, { map: null, a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ['another type replaces', { map: 'x' }, { map: { a: '1' } }, { map: { a: '1' } }],
  ['an object that is replaced', { whole: { a: 1 } }, { whole: { b: 2 } }, { whole: { b: 2 } }],
  ['$patch: replace', { map: { a: '1' } }, { map: { $patch: 'replace', b: '2' } }, { map: { b: '2' } }],
  ['$patch: delete', { map: { a: '1' } }, { map: { $patch: 'delete' } }, { map: {} }],
  [
    'a new value that is a directive',
    {},
    { map: { $patch: 'replace', b: '2' }, list: [{ $patch: 'delete' }, 1] },
    { list: [1] },
  ],
  ['a list without a strategy', { plain: ['a', 'b'] }, { plain: ['c'] }, { plain: ['c'] }],
  ['values of a set', { tags: ['a', 'b'] }, { tags: ['c', 'b'] }, { tags: ['c', 'a', 'b'] }],
  ['values out of a set', { tags: ['a', 'b'] }, { '$deleteFromPrimitiveList/tags': ['a', 'x'] }, { tags: ['b'] }],
  ['values out of no set', {}, { '$deleteFromPrimitiveList/tags': ['a'] }, {}],
  ['empty lists', { tags: [], items: [] }, { tags: [], items: [] }, { tags: [], items: [] }],
  [
    'items are merged by their key and new ones come last',
    {
      items: [
        { name: 'a', v: 1 },
        { name: 'b', tags: ['x'] },
      ],
    },
    { items: [{ name: 'b', tags: ['y'] }, { name: 'c' }] },
    { items: [{ name: 'a', v: 1 }, { name: 'b', tags: ['y', 'x'] }, { name: 'c' }] },
  ],
  [
    'an item goes',
    { items: [{ name: 'a' }, { name: 'b' }] },
    { items: [{ name: 'a', $patch: 'delete' }] },
    { items: [{ name: 'b' }] },
  ],
  [
    'all items go',
    { items: [{ name: 'a' }] },
    { items: [{ $patch: 'replace' }, { name: 'c' }] },
    { items: [{ name: 'c' }] },
  ],
  [
    'items come in the order that the patch sets',
    { items: [{ name: 'a' }, { name: 'b' }, { name: 's' }] },
    { '$setElementOrder/items': [{ name: 'c' }, { name: 'b' }, { name: 'a' }], items: [{ name: 'c', v: 1 }] },
    { items: [{ name: 'c', v: 1 }, { name: 'b' }, { name: 'a' }, { name: 's' }] },
  ],
  [
    'an order without a list only sorts',
    { tags: ['a', 's', 'b'] },
    { '$setElementOrder/tags': ['b', 'a'] },
    { tags: ['s', 'b', 'a'] },
  ],
  [
    'an order and a list that is new',
    {},
    { '$setElementOrder/tags': ['b', 'a'], tags: ['b', 'a'] },
    { tags: ['b', 'a'] },
  ],
  ['an order of nothing', {}, { '$setElementOrder/tags': [] }, {}],
  [
    'an order and deletions',
    { tags: ['a', 'b', 'c'] },
    { '$setElementOrder/tags': ['c', 'b'], '$deleteFromPrimitiveList/tags': ['a'] },
    { tags: ['c', 'b'] },
  ],
  [
    'keys that are retained',
    { map: { a: '1', b: '2', c: '3' } },
    { map: { $retainKeys: ['b', 'd'], d: '4', a: null } },
    { map: { b: '2', d: '4' } },
  ],
];

for (const [name, target, patch, expected] of rows) {
  test(`a strategic patch: ${name}`, () => {
    const before = structuredClone(target);
    assert.deepEqual(strategicPatch(schema, target, patch), expected);
    assert.deepEqual(target, before);
  });
}

const refused: readonly [number, string, Json][] = [
  [400, 'json: cannot unmarshal array into Go value of type map[string]interface {}', []],
  [400, 'invalid patch format of primitive list', { $deleteFromPrimitiveList: ['a'] }],
  [400, 'invalid patch format of setElementOrder list', { $setElementOrder: ['a'] }],
  [400, 'invalid patch format of retainKeys', { map: { $retainKeys: 'a' } }],
  [400, 'invalid patch format of retainKeys', { map: { $retainKeys: ['a'], b: '1' } }],
  [422, 'the server rejected our request due to an error in our request', { tags: [['a']] }],
  [500, 'unknown patch type: merge in map: map[$patch:merge a:1]', { map: { $patch: 'merge', a: '1' } }],
  [500, 'unknown patch type: what in map: map[$patch:what name:a]', { items: [{ $patch: 'what', name: 'a' }] }],
  [500, 'merging lists cannot yet be specified in the patch', { items: [{ $patch: 'merge' }] }],
  [500, 'cannot merge lists without merge key for struct', { keyless: [{ a: 1 }] }],
  [500, 'map: map[v:1] does not contain declared merge key: name', { items: [{ v: 1 }] }],
  [500, 'list element types are not identical: [[t] [b 1]]', { tags: ['b', 1] }],
  [500, 'expected a []interface {}, but received a string', { '$setElementOrder/tags': 'a' }],
  [
    500,
    "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a <nil>]\n",
    { '$setElementOrder/tags': ['a', null], tags: ['b'] },
  ],
];

for (const [code, message, patch] of refused) {
  test(`a strategic patch that is refused: ${message}`, () => {
    const target = { map: { a: '1' }, tags: ['t'], items: [{ name: 'a' }], keyless: [{ b: 1 }] };
    assert.throws(() => strategicPatch(schema, target, patch), { code, message });
  });
}
