import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../json.ts';
import { applyBy, body, type Live, ownersOf, stored } from './things.ts';

type Turn = readonly [manager: string, spec: JsonObject | undefined, force?: 'force'];

/** What there is after several applied in turn, and who owns what of it. */
const sequences: readonly [string, readonly Turn[], Json, JsonObject][] = [
  ['nothing applied', [['m1', undefined]], null, {}],
  ['fields one by one', [['m1', { a: '1', n: 2 }]], { a: '1', n: 2 }, { 'm1 Apply': { 'f:a': {}, 'f:n': {} } }],
  [
    'a field left out is removed',
    [
      ['m1', { a: '1', n: 2 }],
      ['m1', { a: '1' }],
    ],
    { a: '1' },
    { 'm1 Apply': { 'f:a': {} } },
  ],
  [
    'a shared field stays',
    [
      ['m1', { a: '1' }],
      ['m2', { a: '1' }],
      ['m1', { n: 1 }],
    ],
    { a: '1', n: 1 },
    { 'm2 Apply': { 'f:a': {} }, 'm1 Apply': { 'f:n': {} } },
  ],
  [
    'a forced field changes hands',
    [
      ['m1', { a: '1', n: 1 }],
      ['m2', { a: '2' }, 'force'],
    ],
    { a: '2', n: 1 },
    { 'm1 Apply': { 'f:n': {} }, 'm2 Apply': { 'f:a': {} } },
  ],
  [
    'an owner of nothing goes',
    [
      ['m1', { a: '1' }],
      ['m2', { a: '2' }, 'force'],
    ],
    { a: '2' },
    { 'm2 Apply': { 'f:a': {} } },
  ],
  [
    'keys of a map',
    [
      ['m1', { map: { x: '1', y: '2' } }],
      ['m2', { map: { z: '3' } }],
      ['m1', { map: { x: '1' } }],
    ],
    { map: { x: '1', z: '3' } },
    { 'm1 Apply': { 'f:map': { 'f:x': {} } }, 'm2 Apply': { 'f:map': { 'f:z': {} } } },
  ],
  ['an atomic map', [['m1', { whole: { x: '1' } }]], { whole: { x: '1' } }, { 'm1 Apply': { 'f:whole': {} } }],
  [
    'an atomic map is replaced',
    [
      ['m1', { whole: { x: '1' } }],
      ['m1', { whole: { y: '1' } }],
    ],
    { whole: { y: '1' } },
    { 'm1 Apply': { 'f:whole': {} } },
  ],
  ['an atomic list', [['m1', { list: [{ q: '1' }] }]], { list: [{ q: '1' }] }, { 'm1 Apply': { 'f:list': {} } }],
  [
    'items by their keys, with a default',
    [['m1', { items: [{ name: 'a' }, { name: 'a', port: 81 }] }]],
    { items: [{ name: 'a' }, { name: 'a', port: 81 }] },
    {
      'm1 Apply': {
        'f:items': {
          'k:{"name":"a","port":80}': { '.': {}, 'f:name': {} },
          'k:{"name":"a","port":81}': { '.': {}, 'f:name': {}, 'f:port': {} },
        },
      },
    },
  ],
  [
    'items are woven together',
    [
      ['m1', { keyed: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }],
      ['m2', { keyed: [{ name: 'x' }, { name: 'b', v: '1' }, { name: 'y' }] }],
      ['m1', { keyed: [{ name: 'c' }, { name: 'b' }] }],
    ],
    { keyed: [{ name: 'x' }, { name: 'c' }, { name: 'y' }, { name: 'b', v: '1' }] },
    {
      'm1 Apply': {
        'f:keyed': { 'k:{"name":"b"}': { '.': {}, 'f:name': {} }, 'k:{"name":"c"}': { '.': {}, 'f:name': {} } },
      },
      'm2 Apply': {
        'f:keyed': {
          'k:{"name":"b"}': { '.': {}, 'f:name': {}, 'f:v': {} },
          'k:{"name":"x"}': { '.': {}, 'f:name': {} },
          'k:{"name":"y"}': { '.': {}, 'f:name': {} },
        },
      },
    },
  ],
  [
    'values of a set',
    [
      ['m1', { tags: ['b', 'a'] }],
      ['m2', { tags: ['c', 'a'] }],
      ['m1', { tags: [] }],
    ],
    { tags: ['c', 'a'] },
    { 'm2 Apply': { 'f:tags': { 'v:"a"': {}, 'v:"c"': {} } } },
  ],
  [
    'what is unknown but preserved',
    [
      ['m1', { free: { o: { x: 1 }, l: [1] } }],
      ['m2', { free: { o: { y: {} } } }],
    ],
    { free: { o: { x: 1, y: {} }, l: [1] } },
    {
      'm1 Apply': { 'f:free': { 'f:l': {}, 'f:o': { '.': {}, 'f:x': {} } } },
      'm2 Apply': { 'f:free': { 'f:o': { '.': {}, 'f:y': {} } } },
    },
  ],
  [
    'an empty map and null',
    [['m1', { map: {}, a: null }]],
    { map: {}, a: null },
    { 'm1 Apply': { 'f:a': {}, 'f:map': {} } },
  ],
  [
    'another type of what is unknown',
    [
      ['m1', { free: { x: { y: 1 } } }],
      ['m1', { free: { x: 'text' } }],
      ['m1', { free: { x: { z: 1 } } }],
    ],
    { free: { x: { z: 1 } } },
    { 'm1 Apply': { 'f:free': { 'f:x': { '.': {}, 'f:z': {} } } } },
  ],
];

for (const [name, turns, spec, owners] of sequences) {
  test(`an apply: ${name}`, () => {
    let live: Live;
    for (const [index, [manager, fields, force]] of turns.entries()) {
      live = stored(applyBy(live, body(fields), { manager, force: force === 'force', second: index }));
    }
    assert.deepEqual(live?.['spec'] ?? null, spec);
    const expected = Object.entries(owners).map(([owner, fields]) => [owner, { 'f:spec': fields }]);
    assert.deepEqual(ownersOf(live ?? {}), Object.fromEntries(expected));
  });
}
