import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsIn } from './faults.ts';
import type { Schema } from './read.ts';
import { readCrd } from './read.ts';

const service = readCrd('distributedservices');
const message = readCrd('messages');
const fine = { description: 'Some text.', type: 'string', maxLength: 1 } satisfies Schema;

for (const crd of [service, message]) {
  const { group, names, scope, conversion, versions } = crd.spec;

  test(`${names.kind}: every field is described and bounded, every rule has a sentence`, () => {
    for (const { schema } of versions) assert.deepEqual(faultsIn(schema.openAPIV3Schema), []);
  });

  test(`${names.kind}: is named for its group, namespaced, and stored in one of its versions`, () => {
    assert.equal(crd.apiVersion, 'apiextensions.k8s.io/v1');
    assert.equal(crd.metadata.name, `${names.plural}.${group}`);
    assert.equal(scope, 'Namespaced');
    assert.deepEqual(conversion, { strategy: 'None' });
    assert.equal(versions.filter(({ storage }) => storage).length, 1);
    assert.ok(versions.every(({ served }) => served));
    assert.ok(names.categories.includes('knudge') && names.shortNames.length > 0);
  });

  test(`${names.kind}: each version can be selected by the same fields`, () => {
    const [first, ...others] = versions;
    for (const { selectableFields } of others) assert.deepEqual(selectableFields, first?.selectableFields);
  });

  test(`${names.kind}: each version has a status and described columns, the age last`, () => {
    for (const { subresources, additionalPrinterColumns: columns } of versions) {
      assert.deepEqual(subresources['status'], {});
      assert.equal(columns.at(-1)?.name, 'Age');
      assert.ok(columns.every(({ description }) => description !== undefined));
    }
  });
}

test('DistributedService: v1beta1 and v1 differ in nothing but their name and which one is stored', () => {
  const [first, second, ...others] = service.spec.versions;
  assert.deepEqual(others, []);
  assert.deepEqual({ ...first, name: 'v1', storage: false }, second);
  assert.equal(first?.name, 'v1beta1');
});

test('DistributedService: the scale subresource points at fields that exist', () => {
  for (const { subresources, schema } of service.spec.versions) {
    const paths = Object.values(subresources['scale'] as Record<string, string>);
    assert.equal(paths.length, 3);
    for (const path of paths) assert.ok(fieldAt(schema.openAPIV3Schema, path) !== undefined, path);
  }
});

test('both resources have the same conditions', () => {
  const [ofService, ofMessage] = [service, message].map(({ spec }) =>
    JSON.stringify(fieldAt(spec.versions[0]?.schema.openAPIV3Schema ?? {}, '.status.conditions')),
  );
  assert.equal(
    ofService?.replaceAll('the service', 'it'),
    ofMessage?.replaceAll('the Message', 'it').replace('such as Ready.', 'such as Ready or BackendsAvailable.'),
  );
});

const planted: readonly { name: string; schema: object; fault: string }[] = [
  {
    name: 'a missing description',
    schema: { ...fine, description: undefined },
    fault: '.: no description of some words',
  },
  { name: 'an unbounded string', schema: { ...fine, maxLength: undefined }, fault: '.: no maxLength' },
  { name: 'an unbounded list', schema: list({ maxItems: undefined }), fault: '.: no maxItems' },
  { name: 'a list without a type', schema: list({ 'x-kubernetes-list-type': undefined }), fault: '.: no list type' },
  {
    name: 'a fault in the items of a list',
    schema: list({ items: { ...fine, type: undefined } }),
    fault: '[]: no type',
  },
  {
    name: 'an unbounded map',
    schema: { ...fine, type: 'object', additionalProperties: fine },
    fault: '.: no maxProperties',
  },
  {
    name: 'a fault in the values of a map',
    schema: { ...fine, type: 'object', maxProperties: 1, additionalProperties: { ...fine, maxLength: undefined } },
    fault: '{}: no maxLength',
  },
  { name: 'a number without a lower bound', schema: { ...fine, type: 'integer' }, fault: '.: no minimum' },
  { name: 'an object of anything', schema: { ...fine, type: 'object' }, fault: '.: no fields' },
  {
    name: 'a fault in a field',
    schema: { ...fine, type: 'object', properties: { a: { ...fine, maxLength: undefined } } },
    fault: '.a: no maxLength',
  },
  {
    name: 'unknown fields that are kept',
    schema: { ...fine, 'x-kubernetes-preserve-unknown-fields': true },
    fault: '.: unknown fields kept',
  },
  {
    name: 'a rule without a sentence',
    schema: { ...fine, 'x-kubernetes-validations': [{ rule: 'true', message: 'wrong' }] },
    fault: '.: no sentence for true',
  },
];

for (const { name, schema, fault } of planted) {
  test(`the check of schemas finds ${name}`, () => assert.deepEqual(faultsIn(schema), [fault]));
}

function list(over: object): object {
  return {
    description: 'Some things.',
    type: 'array',
    maxItems: 1,
    'x-kubernetes-list-type': 'set',
    items: fine,
    ...over,
  };
}

function fieldAt(schema: Schema, path: string): Schema | undefined {
  const names = path.split('.').slice(1);
  return names.reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema);
}
