import { type Case, mergePatch, post, put } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { served, shops, web } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const checked = (name: string, schema: Fields, specs: readonly unknown[]): Case => ({
  name,
  given: served(crd({ properties: { value: schema } })),
  steps: specs.map((value) => post(`${shops}?dryRun=All`, shop({ value }))),
});

/** More keywords of schemas, and what happens to objects when a schema changes. */
export const crdListsCases: readonly Case[] = [
  checked('a number may have bounds', { type: 'integer', minimum: 1, maximum: 5 }, [1, 0, 5, 6]),
  checked(
    'bounds may be exclusive, and a number a multiple',
    { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 8, exclusiveMaximum: true, multipleOf: 2 },
    [2, 1, 3, 8],
  ),
  checked('a list may have a number of items', { type: 'array', minItems: 1, maxItems: 2, items: string }, [
    [],
    ['a'],
    ['a', 'b', 'c'],
    ['a', 1],
    'a',
  ]),
  checked(
    'an object may have a number of properties',
    { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: string },
    [{}, { a: 'b' }, { a: 'b', c: 'd', e: 'f' }, { a: 1 }],
  ),
  checked('fields may be required', { type: 'object', required: ['a', 'b'], properties: { a: string, b: string } }, [
    {},
    { a: 'x' },
    { a: 'x', b: null },
    { a: 'x', b: 'y' },
  ]),
  checked(
    'allOf, anyOf, oneOf and not combine',
    {
      type: 'object',
      properties: {
        one: {
          type: 'object',
          properties: { a: string, b: string },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        any: {
          type: 'object',
          properties: { a: string, b: string },
          anyOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        not: { type: 'object', properties: { a: string }, not: { required: ['a'] } },
        all: { type: 'integer', allOf: [{ maximum: 3 }, { minimum: 1 }] },
      },
    },
    [
      { one: { a: 'x' }, any: { a: 'x', b: 'y' }, not: {}, all: 2 },
      { one: { a: 'x', b: 'y' } },
      { one: {} },
      { any: {} },
      { not: { a: 'x' } },
      { all: 9 },
    ],
  ),
  checked(
    'a format is checked where the server knows it',
    {
      type: 'object',
      properties: {
        time: { type: 'string', format: 'date-time' },
        ip: { type: 'string', format: 'ipv4' },
        id: { type: 'string', format: 'uuid' },
        length: { type: 'string', format: 'duration' },
        odd: { type: 'string', format: 'odd' },
        mail: { type: 'string', format: 'email' },
      },
    },
    [
      {
        time: '2001-01-01T00:00:00Z',
        ip: '10.0.0.1',
        id: '11111111-2222-4333-8444-555555555555',
        length: '3s',
        odd: '?',
        mail: 'a@example.com',
      },
      { time: 'today' },
      { ip: '10.0.0' },
      { id: 'x' },
      { length: 'long' },
      { mail: 'x' },
    ],
  ),
  checked(
    'a list of the type set has no two of the same',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
    [
      ['a', 'b'],
      ['a', 'b', 'a'],
    ],
  ),
  checked(
    'a list of the type map has no two of the same key',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: string, n: { type: 'integer' } } },
    },
    [[{ name: 'a' }, { name: 'b' }], [{ name: 'a' }, { name: 'a', n: 2 }], [{ n: 1 }]],
  ),
  checked(
    'everything that is wrong is told at once',
    {
      type: 'object',
      required: ['z'],
      properties: {
        a: { type: 'string', maxLength: 1, pattern: '^x$' },
      },
    },
    [{ a: 'long' }],
  ),
  {
    name: 'an old object that no longer fits may change where it is right',
    given: [
      ...served(crd({ properties: { size: { type: 'integer' }, color: string } })),
      post(shops, shop({ size: 3 })),
      mergePatch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shops.{group}', {
        spec: {
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: { type: 'object', properties: { size: { type: 'integer', maximum: 2 }, color: string } },
                  },
                },
              },
            },
          ],
        },
      }),
    ],
    steps: [
      // A real server takes up a new schema a moment after it has answered; a change that it tries and drops asks for it.
      { ...mergePatch(`${web}?dryRun=All`, { spec: { size: 4 } }), kind: 'until', holds: (_, code) => code === 422 },
      mergePatch(web, { spec: { size: 4 } }),
      put(`${web}?dryRun=All`, shop({ size: 5 }, { metadata: { name: 'web', resourceVersion: '1' } })),
    ],
  },
];
