import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonObject, objectAt } from '../../json.ts';
import {
  applyBy,
  body,
  configMap,
  deployment,
  type Live,
  mapOf,
  ownersOf,
  stored,
  timesOf,
  updateBy,
} from './things.ts';

const owned = { 'm1 Update': { 'f:data': { '.': {}, 'f:a': {} } } };

function created(data: JsonObject = { a: '1' }): JsonObject {
  return stored(updateBy(undefined, mapOf(data), { kind: configMap, manager: 'm1' }));
}

/** The same object as a client may send it: with other managedFields. */
function withEntries(object: JsonObject, managedFields: Json): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), managedFields } };
}

const updates: readonly [string, JsonObject, Json][] = [
  ['nothing', { a: '1' }, owned],
  ['a new field', { a: '1', b: '2' }, { ...owned, 'm2 Update': { 'f:data': { 'f:b': {} } } }],
  ['another value', { a: '2' }, { 'm1 Update': { 'f:data': {} }, 'm2 Update': { 'f:data': { 'f:a': {} } } }],
  ['a field less', {}, { 'm1 Update': { 'f:data': {} } }],
];

for (const [name, data, owners] of updates) {
  test(`an update of ${name}`, () => {
    const next = updateBy(created(), stored(mapOf(data)), { kind: configMap, manager: 'm2' });
    assert.deepEqual(ownersOf(next), owners);
  });
}

test('an update by the same manager adds to its entry', () => {
  const next = updateBy(created(), stored(mapOf({ a: '2', b: '1' })), { kind: configMap, manager: 'm1', second: 5 });
  assert.deepEqual(ownersOf(next), { 'm1 Update': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } } });
  assert.deepEqual(timesOf(next), { m1: '2026-01-01T00:01:05Z' });
});

test('a manager without a name is unknown', () => {
  assert.deepEqual(Object.keys(ownersOf(updateBy(undefined, mapOf({ a: '1' }), { kind: configMap, manager: '' }))), [
    'unknown Update',
  ]);
});

test('metadata that the server writes belongs to nobody', () => {
  const metadata = {
    name: 'web',
    namespace: 'x',
    uid: 'u',
    generation: 1,
    creationTimestamp: 'now',
    labels: { l: '1' },
  };
  const next = updateBy(undefined, { ...mapOf({}), metadata }, { kind: configMap, manager: 'm1' });
  assert.deepEqual(ownersOf(next)['m1 Update'], { 'f:data': {}, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } });
});

const given: readonly [string, Json, Json][] = [
  ['left out', null, owned],
  ['emptied by an empty entry', [{}], {}],
  ['emptied by an empty list', [], {}],
  ['malformed', [{ manager: 'm3', operation: 'Nothing' }], owned],
  ['without a version', [{ manager: 'm3', operation: 'Update', fieldsType: 'FieldsV1' }], owned],
  ['with a field that cannot be read', [entryWith({ 'k:x': {} })], owned],
  ['not objects', ['x'], owned],
  ['replaced', [entryWith({ 'f:data': { 'f:a': {}, 'x:future': {} } })], { 'm3 Update': { 'f:data': { 'f:a': {} } } }],
];

function entryWith(fieldsV1: JsonObject): JsonObject {
  return { manager: 'm3', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
}

for (const [name, entries, owners] of given) {
  test(`managedFields that a client has ${name}`, () => {
    const next = updateBy(created(), withEntries(created(), entries), { kind: configMap, manager: 'm2' });
    assert.deepEqual(ownersOf(next), owners);
  });
}

test('an empty list keeps the owners of a custom resource', () => {
  const live = stored(applyBy(undefined, body({ a: '1' }), { manager: 'm1' }));
  assert.deepEqual(updateBy(live, withEntries(live, []), { manager: 'm2' }), live);
});

test('an object without owners stays so', () => {
  const next = updateBy(stored(mapOf({ a: '1' })), stored(mapOf({ a: '2' })), { kind: configMap, manager: 'm1' });
  assert.deepEqual(ownersOf(next), {});
});

test('the oldest of eleven updates become ancient changes', () => {
  let live: Live;
  for (const [index] of Array.from({ length: 13 }).entries()) {
    const data = { ...objectAt(live, 'data'), [`k${index}`]: '1' };
    const manager = `m${String(index).padStart(2, '0')}`;
    live = stored(updateBy(live, stored(mapOf(data)), { kind: configMap, manager, second: index }));
    if (index === 0) live = stored(updateBy(undefined, mapOf(data), { kind: configMap, manager, second: 0 }));
  }
  const owners = ownersOf(live ?? {});
  assert.equal(Object.keys(owners).length, 10);
  assert.deepEqual(owners['ancient-changes Update'], {
    'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} },
  });
  assert.equal(timesOf(live ?? {})['ancient-changes'], '2026-01-01T00:01:03Z');
});

test('who creates a built-in object does not own its structs, who creates a custom resource does', () => {
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Always' } },
  };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  const next = updateBy(undefined, object, { kind: deployment, manager: 'm1' });
  assert.deepEqual(ownersOf(next)['m1 Update'], {
    'f:spec': {
      'f:selector': {},
      'f:template': { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:spec': { 'f:restartPolicy': {} } },
    },
  });
  assert.deepEqual(ownersOf(updateBy(undefined, body({ a: '1' }), { manager: 'm1' })), {
    'm1 Update': { 'f:spec': { '.': {}, 'f:a': {} } },
  });
});

test('an update of the status owns nothing but status', () => {
  const live = stored(applyBy(undefined, body({ a: '1' }), { manager: 'm1' }));
  const sent = { ...live, spec: { a: '2' }, status: { x: 1 } };
  const next = updateBy(live, sent, { manager: 'm1', subresource: 'status' });
  assert.deepEqual(ownersOf(next), {
    'm1 Apply': { 'f:spec': { 'f:a': {} } },
    'm1 Update status': { 'f:status': { '.': {}, 'f:x': {} } },
  });
});

test('duplicates in a list are owned as one', () => {
  const twice = { tags: ['a', 'a', 'b'], keyed: [{ name: 'x' }, { name: 'x', v: '1' }] };
  const fields = (tags: JsonObject, keyed: JsonObject) => ({ 'f:spec': { 'f:keyed': keyed, 'f:tags': tags } });
  const live = stored(updateBy(undefined, body(twice), { manager: 'm1' }));
  assert.deepEqual(ownersOf(live)['m1 Update'], {
    'f:spec': {
      '.': {},
      'f:keyed': { '.': {}, 'k:{"name":"x"}': {} },
      'f:tags': { '.': {}, 'v:"a"': {}, 'v:"b"': {} },
    },
  });
  const once = updateBy(
    live,
    { ...live, spec: { tags: ['a', 'b'], keyed: [{ name: 'x', v: '1' }] } },
    { manager: 'm2' },
  );
  assert.deepEqual(
    ownersOf(once)['m2 Update'],
    fields({ 'v:"a"': {} }, { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:v': {} } }),
  );
  const changed = updateBy(
    live,
    { ...live, spec: { ...twice, keyed: [{ name: 'x' }, { name: 'x', v: '2' }] } },
    { manager: 'm2' },
  );
  assert.deepEqual(ownersOf(changed)['m2 Update'], { 'f:spec': { 'f:keyed': { 'k:{"name":"x"}': {} } } });
});

test('a field that is empty and written all the same belongs to nobody', () => {
  const event = { ...mapOf({}), immutable: null, binaryData: { a: 'x' } };
  const next = updateBy(undefined, event, { kind: configMap, manager: 'm1' });
  assert.deepEqual(ownersOf(next)['m1 Update'], { 'f:binaryData': { '.': {}, 'f:a': {} }, 'f:data': {} });
});
