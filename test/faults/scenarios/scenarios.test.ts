import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { readCrd, type Schema } from '../../crds/read.ts';
import { place } from '../sim/prepare.ts';
import { fieldRows, fields } from './fields.ts';
import { giveOut } from './give-out.ts';
import { families, scenarios } from './scenarios.ts';
import { valuesAt } from './values-at.ts';

test('the names are words with dashes, and no two are the same', () => {
  const names = scenarios.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
  for (const name of names) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('there are 14 families or more, none of them empty', () => {
  const rows = Object.values(families);
  assert.ok(rows.length >= 14);
  assert.ok(rows.every((family) => family.length > 0));
});

test('creation and deletion of both kinds are hit by pairs of faults', () => {
  const marked = scenarios.filter(({ pairs }) => pairs === true).map(({ name }) => name);
  assert.deepEqual(marked, [
    'create-tcp',
    'create-every-child',
    'delete-running',
    'message-create',
    'message-delete',
    'message-recreate',
  ]);
});

test('every field of the spec of a DistributedService has a row, and no row is about another', () => {
  const known = leavesOf(specOf('distributedservices'));
  assert.ok(known.length >= 28);
  assert.deepEqual([...new Set(fieldRows.map(({ field }) => field))].sort(), [...known].sort());
});

test('every field of the spec of a Message has a row', () => {
  assert.deepEqual(leavesOf(specOf('messages')), ['text']);
  assert.ok(families.messages.some(({ name }) => name === 'change-text'));
});

for (const [index, { field, how = 'changed' }] of fieldRows.entries()) {
  test(`${field} is ${how} by its scenario`, async () => {
    const scenario = fields[index];
    assert.ok(scenario);
    const user = await giveOut(scenario.given(place));
    const service: ObjectRef = {
      apiVersion: 'frp.io/v1beta1',
      kind: 'DistributedService',
      namespace: 'shop',
      name: 'web',
    };
    const before = await valuesOf(user, service, field);
    await scenario.when(user, place);
    assert.notDeepEqual(await valuesOf(user, service, field), before);
  });
}

for (const { name, given, parents } of scenarios) {
  test(`${name}: the API server takes what is given, and the parents are of this run`, async () => {
    const objects = given(place);
    await giveOut(objects);
    const refs = parents(place);
    assert.ok(refs.length > 0);
    for (const { kind, namespace } of refs) {
      assert.ok([place.namespace, place.controller].includes(namespace));
      assert.ok(['DistributedService', 'Message'].includes(kind));
    }
    const theirs = objects.filter(({ kind }) => ['DistributedService', 'Message'].includes(kind)).map(refOf);
    for (const ref of theirs) assert.ok(refs.some((one) => one.kind === ref.kind && one.name === ref.name));
  });
}

test('in another place everything is in that place', () => {
  const other = { namespace: 'run-7', controller: 'knudge-7' };
  for (const { name, given } of scenarios) {
    for (const { metadata } of given(other)) {
      assert.ok(metadata.namespace === other.namespace || metadata.namespace === other.controller, name);
    }
  }
});

async function valuesOf(user: User, ref: ObjectRef, field: string): Promise<readonly unknown[]> {
  const found = (await user.get(ref)) as (KubeObject & { readonly spec?: unknown }) | undefined;
  return valuesAt(found?.spec, field);
}

function specOf(plural: string): Schema {
  const spec = readCrd(plural).spec.versions.find(({ storage }) => storage)?.schema.openAPIV3Schema.properties?.[
    'spec'
  ];
  assert.ok(spec);
  return spec;
}

/** The fields that hold values, as rows name them. A field with one allowed value can never change. */
function leavesOf(schema: Schema, path = ''): readonly string[] {
  const { properties, items, additionalProperties } = schema;
  if (schema.enum?.length === 1) return [];
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([key, field]) => leavesOf(field, path === '' ? key : `${path}.${key}`));
  }
  if (items !== undefined) return leavesOf(items, `${path}[]`);
  return additionalProperties === undefined ? [path] : leavesOf(additionalProperties, `${path}{}`);
}
