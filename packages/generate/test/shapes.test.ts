import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Crd } from '../project.ts';
import { kindsOf } from '../types/kinds.ts';
import { shapesIn } from '../types/shapes.ts';

const text = { type: 'string' };
const items = (...fields: readonly string[]) => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, text])) },
});
/** A list whose items these keys distinguish. */
const byKeys = (keys: readonly string[], ...fields: readonly string[]) => ({
  ...items(...keys, ...fields),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

/** The definition of a kind with these fields. */
function crdOf(spec: object, status: object = {}): Crd {
  const properties = {
    metadata: { type: 'object' },
    spec: { type: 'object', properties: spec },
    status: { type: 'object', properties: status },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const definition = {
    metadata: { name: 'things.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  return { path: 'crds/things.yaml', text: '', definition: definition as unknown as Crd['definition'] };
}

const thing = { apiVersion: 'example.dev/v1', kind: 'Thing' };

const rows: readonly (readonly [sentence: string, crd: Crd, spec: object | undefined])[] = [
  ['a list with keys is there', crdOf({ rules: byKeys(['host']) }), { rules: { keys: ['host'] } }],
  ['a list without any is not', crdOf({ rules: items('host') }), undefined],
  ['a list in a status is not', crdOf({}, { rules: byKeys(['host']) }), undefined],
  [
    'a list within the items of a list is there',
    crdOf({ all: { type: 'array', items: { type: 'object', properties: { rules: byKeys(['host']) } } } }),
    { all: { of: { rules: { keys: ['host'] } } } },
  ],
  [
    'a list within the values of a map is there',
    crdOf({
      all: { type: 'object', additionalProperties: { type: 'object', properties: { rules: byKeys(['host']) } } },
    }),
    { all: { of: { '*': { of: { rules: { keys: ['host'] } } } } } },
  ],
  [
    'two lists of one name have their own keys',
    crdOf({ rules: byKeys(['host']), other: { type: 'object', properties: { rules: byKeys(['path'], 'host') } } }),
    { rules: { keys: ['host'] }, other: { of: { rules: { keys: ['path'] } } } },
  ],
  [
    'a set is there',
    crdOf({ names: { ...items(), items: text, 'x-kubernetes-list-type': 'set' } }),
    { names: { keys: [] } },
  ],
  [
    'a map of one writer that takes any key is there',
    crdOf({ pods: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' } }),
    { pods: { isWhole: true } },
  ],
  [
    'a struct of one writer is not: it has defaults',
    crdOf({ from: { type: 'object', properties: { a: text }, 'x-kubernetes-map-type': 'atomic' } }),
    undefined,
  ],
];
for (const [sentence, crd, spec] of rows) {
  test(`shapes of a custom resource: ${sentence}`, () => {
    const shape = shapesIn([crd], [thing]).get('example.dev/v1/Thing');
    assert.deepEqual(shape, spec && { of: { spec: { of: spec } } });
  });
}

test('shapes of a custom resource: only kinds of children have one', () => {
  assert.deepEqual(shapesIn([crdOf({ rules: byKeys(['host']) })], []), new Map());
});

test('shapes of a custom resource: a child whose kind is defined nowhere has none', () => {
  assert.deepEqual(shapesIn([], [thing, { apiVersion: 'v1', kind: 'Pod' }]), new Map());
});

test('the list of kinds has the shape of a child beside its plural', () => {
  const owner = { apiVersion: 'example.dev/v1', kind: 'Owner' };
  const project = {
    crds: [crdOf({ rules: byKeys(['host']) })],
    hasEngine: false,
    commands: { types: 'npm run types', manifests: 'npm run manifests' },
    parentKinds: [owner],
    childKinds: [{ ...thing, parents: [owner] }],
  };
  const text = kindsOf(project, 'resources/managed/kinds.ts');
  assert.match(text, /shape: \{ of: \{ spec: \{ of: \{ rules: \{ keys: \['host'\] \} \} \} \} \}/);
});
