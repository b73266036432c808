import { type Case, post } from '../case.ts';
import { crd } from './bodies.ts';
import { definitions } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const open = { properties: { size: { type: 'integer' }, replicas: { type: 'integer' }, selector: string } };
const schema = (properties: Fields) => ({ openAPIV3Schema: { type: 'object', properties } });
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (name: string, more: Fields) => ({
  name,
  served: true,
  storage: false,
  schema: schema({ spec: free }),
  ...more,
});
const refused = (name: string, body: unknown): Case => ({ name, steps: [post(definitions, body)] });

/** CustomResourceDefinitions that are refused. */
export const crdBadCases: readonly Case[] = [
  refused('a definition whose name is not plural and group is refused', {
    ...crd(open),
    metadata: { name: 'shop.{group}' },
  }),
  refused('a definition without versions is refused', crd(open, {}, { versions: [] })),
  refused(
    'a definition that stores two versions is refused',
    crd(open, {}, { versions: [version('v1', { storage: true }), version('v2', { storage: true })] }),
  ),
  refused(
    'a definition with bad names and scope is refused',
    crd(open, {}, { scope: 'World', names: { plural: 'shops', singular: 'Shop_', kind: 'shop 1', shortNames: ['S'] } }),
  ),
  refused(
    'a schema that is not structural is refused',
    crd({ properties: { a: {}, b: { type: 'array' }, c: { type: 'object', properties: { d: {} } } } }),
  ),
  refused(
    'a schema with a default that does not fit is refused',
    crd({ properties: { a: { type: 'integer', default: 'x' } } }),
  ),
  refused(
    'a schema that says too much is refused',
    crd({
      properties: {
        b: { type: 'object', additionalProperties: string, properties: { c: string } },
      },
    }),
  ),
  refused(
    'a schema of metadata may say little',
    crd(open, { schema: schema({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }) }),
  ),
  refused(
    'a schema with bad list keys is refused',
    crd({
      properties: {
        a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object', properties: { name: string } } },
      },
    }),
  ),
  refused('a definition without a schema is refused', crd(open, { schema: undefined })),
  refused(
    'a printer column with a bad path and type is refused',
    crd(open, { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec' }] }),
  ),
];
