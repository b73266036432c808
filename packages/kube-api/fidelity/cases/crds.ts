import { type Case, del, get, mergePatch, post, put, strategicPatch, until } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { definition, definitions, served, shops, web } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const open = { properties: { size: { type: 'integer' }, replicas: { type: 'integer' }, selector: string } };
const withStatus = { subresources: { status: {} } };
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const schema = (properties: Fields) => ({ openAPIV3Schema: { type: 'object', properties } });
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (name: string, more: Fields) => ({
  name,
  served: true,
  storage: false,
  schema: schema({ spec: free }),
  ...more,
});
const versions = [
  version('v1', { storage: true }),
  version('v1beta1', { deprecated: true }),
  version('v2', {
    schema: schema({ spec: { type: 'object', properties: { size: { type: 'integer', default: 2 } } } }),
  }),
  version('v3', { served: false }),
];
const established = (body: unknown) => JSON.stringify(body).includes('"InitialNamesAccepted"');
const inVersion = (name: string) => `/apis/{group}/${name}/namespaces/{ns}/shops`;

/** CustomResourceDefinitions themselves: names, versions, subresources, what is refused. */
export const crdsCases: readonly Case[] = [
  {
    name: 'a definition gets its defaults, its names are accepted and it is served',
    steps: [
      post(definitions, crd(open, {}, { names: { plural: 'shops', kind: 'Shop' } })),
      until(definition, established),
      until(shops, (_, code) => code === 200),
    ],
  },
  {
    name: 'a definition with everything keeps it',
    steps: [
      post(
        definitions,
        crd(
          open,
          {
            ...withStatus,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            selectableFields: [{ jsonPath: '.spec.selector' }],
          },
          {
            scope: 'Cluster',
            names: {
              plural: 'shops',
              singular: 'shop',
              kind: 'Shop',
              listKind: 'ShopList',
              shortNames: ['sh'],
              categories: ['all'],
            },
          },
        ),
      ),
      until(definition, established),
    ],
  },
  {
    name: 'a custom resource counts generations: spec counts, metadata does not',
    given: [...served(crd(open)), post(shops, shop({ size: 1 }))],
    steps: [
      mergePatch(web, { metadata: { labels: { a: 'b' } } }),
      mergePatch(web, { spec: { size: 2 } }),
      mergePatch(web, { spec: { size: 2 } }),
      mergePatch(web, { status: { phase: 'x' } }),
    ],
  },
  {
    name: 'with a status subresource each leaves the other alone',
    given: [...served(crd(open, withStatus))],
    steps: [
      post(shops, shop({ size: 1 }, { status: { phase: 'early' } })),
      mergePatch(web, { spec: { size: 2 }, status: { phase: 'x' } }),
      mergePatch(`${web}/status`, { spec: { size: 3 }, status: { phase: 'y' }, metadata: { labels: { a: 'b' } } }),
      put(`${web}/status`, shop({ size: 4 }, { status: { phase: 'z' } })),
      get(`${web}/status`),
      mergePatch(`${web}/status`, {}),
      mergePatch(web, { metadata: { finalizers: ['example.com/keep'] } }),
      del(web),
      mergePatch(web, { metadata: { finalizers: null } }),
    ],
  },
  {
    name: 'the scale subresource reads and writes replicas, and checks them',
    given: [
      ...served(crd(open, { subresources: { status: {}, scale } })),
      post(shops, shop({ replicas: 2 })),
      mergePatch(`${web}/status`, { status: { replicas: 1, selector: 'app=web' } }),
    ],
    steps: [
      get(`${web}/scale`),
      mergePatch(`${web}/scale`, { spec: { replicas: 5 } }),
      put(`${web}/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web' },
        spec: { replicas: 6 },
      }),
      put(`${web}/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', resourceVersion: '1' },
        spec: { replicas: 6 },
      }),
      mergePatch(`${web}/scale`, { spec: { replicas: -1 } }),
      get(web),
      get(`${shops}/none/scale`),
    ],
  },
  {
    name: 'without subresources there are none',
    given: [...served(crd(open)), post(shops, shop({}))],
    steps: [get(`${web}/status`), get(`${web}/scale`)],
  },
  {
    name: 'each served version gives the same objects, an unserved one none',
    given: [
      ...served(crd(open, {}, { versions })),
      ...[post(shops, shop({ size: 1 }))],
      until(inVersion('v2'), (_, code) => code === 200),
    ],
    steps: [
      get(`${inVersion('v2')}/web`),
      get(`${inVersion('v1beta1')}/web`),
      get(inVersion('v2')),
      get(inVersion('v3')),
      post(inVersion('v2'), shop({ color: 'x' }, { apiVersion: '{group}/v2', metadata: { name: 'other' } })),
      get(`${shops}/other`),
      mergePatch(`${inVersion('v2')}/web`, { spec: { size: 7 } }),
      post(inVersion('v2'), shop({}, { metadata: { name: 'wrong' } })),
    ],
  },
  {
    name: 'a strategic patch is not for custom resources',
    given: [...served(crd(open)), post(shops, shop({}))],
    steps: [strategicPatch(web, { spec: {} })],
  },
  {
    name: 'a cluster-scoped custom resource has no namespace',
    given: [
      post(definitions, crd(open, {}, { scope: 'Cluster' })),
      until('/apis/{group}/v1/shops', (_, code) => code === 200),
    ],
    steps: [post('/apis/{group}/v1/shops', shop({ size: 1 })), get('/apis/{group}/v1/shops'), get(shops)],
  },
  {
    name: 'a definition that goes takes its objects along',
    given: [...served(crd(open)), post(shops, shop({}))],
    steps: [
      del(definition, undefined, { view: nameOf }),
      until(definition, (_, code) => code === 404),
      until(shops, (_, code) => code === 404),
    ],
  },
  {
    name: 'a definition may get a version more and another schema',
    given: [
      ...served(crd({ properties: { size: string } })),
      mergePatch(definition, crd({}, {}, { versions: [...versions.slice(0, 1), version('v4', {})] })),
    ],
    steps: [until(inVersion('v4'), (_, code) => code === 200)],
  },
];

function nameOf(body: unknown): unknown {
  return (body as { status: unknown }).status !== undefined;
}
