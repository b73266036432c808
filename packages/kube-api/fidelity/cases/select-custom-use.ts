import { at, type Case, del, get, kubectl, mergePatch, post, until, watch } from '../case.ts';
import { crd, shop } from './bodies.ts';
import {
  byField,
  encoded,
  type Fields,
  fieldsOf,
  five,
  named,
  namesOrError,
  ofShops,
  properties,
  string,
} from './selectable-shops.ts';
import { definition, definitions, served, shops } from './served.ts';

const until400 = (path: string) => until(path, (_, code) => code === 400);

/** Where custom resources are selected by the fields that their definitions name. */
export const selectCustomUseCases: readonly Case[] = [
  {
    name: 'a selectable field selects with labels, by pages, across namespaces, as a table and as metadata alone',
    given: five,
    steps: [
      get(`${byField('spec.color!=red')}&labelSelector=n`, { view: namesOrError }),
      get(`${byField('spec.color!=red')}&limit=2`, { view: pageOf }),
      get('/apis/{group}/v1/shops?fieldSelector=spec.color%3Dred', { view: namesOrError }),
      get('/apis/{group}/v1/shops?fieldSelector=spec.secret%3Dred'),
      get(byField('spec.color=red'), { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
      get(byField('spec.color=red'), {
        headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
        view: namesOrError,
      }),
      get(`${shops}/b?fieldSelector=spec.color%3Dred`, { view: (body) => at(body, 'metadata.name') }),
    ],
  },
  {
    name: 'a watch by a selectable field tells of what begins and ends to fit',
    given: served(ofShops),
    steps: [
      watch(byField('spec.color=red'), 5, [
        named('a', { color: 'red' }),
        named('b', { color: 'blue' }),
        mergePatch(`${shops}/a`, { spec: { size: 2 } }),
        mergePatch(`${shops}/a`, { spec: { color: 'blue' } }),
        mergePatch(`${shops}/b`, { spec: { color: 'red' } }),
        del(`${shops}/a`),
        del(`${shops}/b`),
      ]),
      get(`${byField('spec.secret=x')}&watch=true`),
      get(`${byField('spec.color')}&watch=true`),
    ],
  },
  {
    name: 'a watch by what a field is not tells of objects without it',
    given: served(ofShops),
    steps: [
      watch(byField('spec.color!=red'), 4, [
        named('a', {}),
        mergePatch(`${shops}/a`, { spec: { color: 'red' } }),
        mergePatch(`${shops}/a`, { spec: { color: null } }),
        del(`${shops}/a`),
      ]),
    ],
  },
  {
    name: 'what a selectable field selects is deleted, and nothing else',
    given: five,
    steps: [
      del(byField('spec.secret=x')),
      del(`${byField('spec.color!=red,spec.size!=10')}&dryRun=All`, undefined, { view: namesOrError }),
      del(byField('spec.color!=red,spec.size!=10'), undefined, { view: namesOrError }),
      get(shops, { view: namesOrError }),
    ],
  },
  {
    name: 'a status can be selected by, and follows what is written through its subresource',
    given: [
      ...served(
        crd(
          {},
          {
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { status: { type: 'object', properties: { phase: string } } },
              },
            },
            selectableFields: [{ jsonPath: '.status.phase' }],
          },
        ),
      ),
      post(shops, shop(undefined)),
    ],
    steps: [
      get(byField('status.phase='), { view: namesOrError }),
      mergePatch(`${shops}/web/status`, { status: { phase: 'Open' } }),
      get(byField('status.phase=Open'), { view: namesOrError }),
    ],
  },
  {
    name: 'each version has selectable fields of its own',
    given: [
      ...served(crd({}, {}, { versions: [version('v1', ['color']), version('v2', ['size', 'color'])] })),
      until('/apis/{group}/v2/namespaces/{ns}/shops', (_, code) => code === 200),
      named('a', { color: 'red', size: 1 }),
      named('b', { color: 'red', size: 2 }),
    ],
    steps: ['v1', 'v2'].flatMap((name) =>
      ['color%3Dred', 'size%3D1'].map((term) =>
        get(`/apis/{group}/${name}/namespaces/{ns}/shops?fieldSelector=spec.${term}`, { view: namesOrError }),
      ),
    ),
  },
  {
    name: 'a field can be selected by as long as its definition says so',
    given: [...served(crd({ properties })), named('a', { color: 'red' })],
    steps: [
      get(byField('spec.color=red')),
      mergePatch(definition, ofShops, { view: () => 'patched' }),
      until(byField('spec.color=red'), (_, code) => code === 200, { view: namesOrError }),
      mergePatch(definition, crd({ properties }), { view: () => 'patched' }),
      until400(byField('spec.color=red')),
    ],
  },
  {
    name: 'a cluster-scoped custom resource is selected by its fields, and has no namespace to be selected by',
    given: [
      post(definitions, crd({ properties }, { selectableFields: fieldsOf(['color']) }, { scope: 'Cluster' })),
      until('/apis/{group}/v1/shops', (_, code) => code === 200),
      post('/apis/{group}/v1/shops', shop({ color: 'red' })),
    ],
    steps: ['spec.color=red', 'spec.color=', 'metadata.name=web', 'metadata.namespace='].map((selector) =>
      get(`/apis/{group}/v1/shops?fieldSelector=${encoded(selector)}`, { view: namesOrError }),
    ),
  },
  {
    name: 'OpenAPI tells by which fields a kind can be selected',
    given: [
      ...served(crd({ properties: { color: string } }, { selectableFields: fieldsOf(['color']) })),
      until('/openapi/v3/apis/{group}/v1', (body) => JSON.stringify(body).includes('selectable-fields')),
    ],
    steps: [get('/openapi/v3/apis/{group}/v1', { view: schemaOf })],
  },
  {
    name: 'kubectl selects by fields of a custom resource',
    given: five,
    steps: [
      kubectl('get shops.{group} --field-selector spec.color=red -o name'),
      kubectl('get shops.{group} --field-selector spec.color!=red,spec.on=false -o name'),
      kubectl('get shops.{group} --field-selector spec.secret=x'),
      kubectl('delete shops.{group} --field-selector spec.color=red'),
    ],
  },
];

/** A version whose schema is of no other, since versions with one schema have the same selectable fields. */
function version(name: string, names: readonly string[]): Fields {
  const spec = { type: 'object', description: name, properties };
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    selectableFields: fieldsOf(names),
  };
}

function pageOf(body: unknown): unknown {
  return {
    names: namesOrError(body),
    continues: at(body, 'metadata.continue') !== '',
    left: at(body, 'metadata.remainingItemCount'),
  };
}

function schemaOf(body: unknown): unknown {
  const schemas = Object.entries(at(body, 'components.schemas') as Record<string, unknown>);
  return schemas.filter(([name]) => name.endsWith('.Shop')).map(([, schema]) => schema);
}
