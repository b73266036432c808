import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../packages/kube-api/json.ts';
import { listKeysOf } from '../../../tools/types/list-keys.ts';

const text = { type: 'string' };
const items = (...fields: readonly string[]) => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, text])) },
});
const byKeys = (keys: readonly string[], ...fields: readonly string[]) => ({
  ...items(...keys, ...fields),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

/** What is made of kinds with these fields. */
function made(...kinds: readonly (readonly [kind: string, spec: object, status?: object])[]): string {
  const definitions = kinds.map(([kind, spec, status = {}]) => ({
    metadata: { name: `${kind.toLowerCase()}s.example.dev` },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: spec },
                status: { type: 'object', properties: status },
              },
            },
          },
        },
      ],
    },
  }));
  const refs = kinds.map(([kind]) => ({ apiVersion: 'example.dev/v1', kind }));
  return listKeysOf(refs, definitions as unknown as readonly JsonObject[]);
}

const rows: readonly (readonly [sentence: string, text: string, has: RegExp | undefined])[] = [
  ['a list with keys is there', made(['Thing', { rules: byKeys(['host']) }]), /^ {2}rules: \['host'\],$/m],
  ['a list without any is not', made(['Thing', { rules: items('host') }]), undefined],
  [
    'so is a list within the items of a list',
    made(['Thing', { all: { type: 'array', items: { type: 'object', properties: { rules: byKeys(['host']) } } } }]),
    /^ {2}rules: \['host'\],$/m,
  ],
  ['a list in a status is not', made(['Thing', {}, { rules: byKeys(['host']) }]), undefined],
  [
    'two lists of one name have the keys of both where neither has the other one as a field',
    made(['Thing', { rules: byKeys(['host']) }], ['Other', { rules: byKeys(['path']) }]),
    /^ {2}rules: \['host', 'path'\],$/m,
  ],
];
for (const [sentence, result, has] of rows) {
  test(`keys of lists: ${sentence}`, () =>
    has === undefined ? assert.doesNotMatch(result, /rules/) : assert.match(result, has));
}

test('keys of lists: one name for a list with keys and one without is an error', () => {
  assert.throws(
    () => made(['Thing', { rules: byKeys(['host']) }], ['Other', { rules: items('host') }]),
    /^Error: Other\.spec\.rules has no keys, and another list of its name has host: packages\/controller\/decide\/differs\.ts/,
  );
});

test('keys of lists: a key that is an ordinary field in another list of its name is an error', () => {
  assert.throws(
    () => made(['Thing', { rules: byKeys(['host']) }], ['Other', { rules: byKeys(['path'], 'host') }]),
    /^Error: Other\.spec\.rules has host, which is no key there, and another list of its name has host and path/,
  );
});

test('keys of lists: a kind without a schema is an error that says where to add it', () => {
  assert.throws(
    () => listKeysOf([{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' }], []),
    /networking\.k8s\.io\/v1 Ingress has no schema here: add it to tools\/api-schemas\/definitions-of\.ts/,
  );
});
