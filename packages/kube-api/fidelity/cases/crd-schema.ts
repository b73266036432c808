import { type Case, get, mergePatch, post } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { served, shops, web } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const checked = (name: string, schema: Fields, specs: readonly unknown[]): Case => ({
  name,
  given: served(crd({ properties: { value: schema } })),
  steps: specs.map((value) => post(`${shops}?dryRun=All`, shop({ value }))),
});

/** What the schema of a CustomResourceDefinition does: prune, default, validate. */
export const crdSchemaCases: readonly Case[] = [
  {
    name: 'a custom resource keeps its fields and loses those that nobody specified',
    given: served(
      crd({
        properties: {
          size: { type: 'integer' },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          map: { type: 'object', additionalProperties: string },
        },
      }),
    ),
    steps: [
      post(shops, shop({ size: 3, colour: 'blue', free: { any: { thing: [1] } }, map: { a: 'b' } }, { top: 'x' })),
      get(web),
      post(
        `${shops}?fieldValidation=Strict`,
        shop({ size: 3, colour: 'blue' }, { top: 'x', metadata: { name: 'other', owner: 'ann' } }),
      ),
      post(`${shops}?fieldValidation=Ignore&dryRun=All`, shop({ colour: 'blue' }, { metadata: { name: 'other' } })),
    ],
  },
  {
    name: 'an embedded object keeps its metadata, and an int or string is either',
    given: served(
      crd({
        properties: {
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
          port: { 'x-kubernetes-int-or-string': true },
        },
      }),
    ),
    steps: [
      post(
        `${shops}?dryRun=All`,
        shop({
          template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', odd: 1 }, spec: { x: 1 }, more: 1 },
          port: 'http',
        }),
      ),
      post(`${shops}?dryRun=All`, shop({ template: { kind: 'Pod' }, port: 80 })),
      post(`${shops}?dryRun=All`, shop({ port: 1.5 })),
    ],
  },
  {
    name: 'defaults fill what is absent, at every depth, on writes and on reads',
    given: served(
      crd({
        default: {},
        properties: {
          size: { type: 'integer', default: 1 },
          nested: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'x' } } },
          list: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean', default: true } } } },
          never: { type: 'object', properties: { deep: { type: 'string', default: 'y' } } },
          maybe: { type: 'string', nullable: true, default: 'z' },
          not: { type: 'string', default: 'n' },
        },
      }),
    ),
    steps: [
      post(shops, shop(undefined)),
      post(
        shops,
        shop(
          { size: 0, list: [{}, { on: false }], never: {}, maybe: null, not: null },
          { metadata: { name: 'other' } },
        ),
      ),
      mergePatch(web, { spec: { size: null } }),
      mergePatch(web, { spec: null }),
    ],
  },
  checked('a wrong type is refused', { type: 'integer' }, ['three', 1.5, true, [], {}, null]),
  checked(
    'a string may have a length and a pattern',
    { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    ['abc', 'a', 'abcde', 'A1', ''],
  ),
  checked('an enum allows its values alone', { type: 'string', enum: ['front', 'back'] }, ['front', 'side', 1]),
];
