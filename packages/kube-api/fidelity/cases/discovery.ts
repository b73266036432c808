import { at, type Case, del, get, post, until } from '../case.ts';
import { crd } from './bodies.ts';
import { definition, definitions, served } from './served.ts';

const groups = [
  'apps',
  'batch',
  'discovery.k8s.io',
  'events.k8s.io',
  'rbac.authorization.k8s.io',
  'coordination.k8s.io',
  'apiextensions.k8s.io',
  'admissionregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'networking.k8s.io',
  'policy',
  'scheduling.k8s.io',
  'storage.k8s.io',
];
/** The kinds that the embedded API has of the groups where a real server has more. */
const kinds =
  /^(namespaces|nodes|pods|services|configmaps|secrets|serviceaccounts|events|endpointslices|deployments|replicasets|jobs|roles|rolebindings|clusterroles|clusterrolebindings|leases|customresourcedefinitions|shops|endpoints|limitranges|persistentvolumes|persistentvolumeclaims|podtemplates|replicationcontrollers|resourcequotas|validatingadmissionpolicies|validatingadmissionpolicybindings|controllerrevisions|daemonsets|statefulsets|horizontalpodautoscalers|cronjobs|ingressclasses|ingresses|networkpolicies|poddisruptionbudgets|priorityclasses|storageclasses|\w+reviews)(\/(status|scale|finalize|token))?$/;
const aggregated = { headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } };
const list = (name: string, path: string): Case => ({ name, steps: [get(path, { view: ofOurKinds })] });

/** What a client learns the kinds from. */
export const discoveryCases: readonly Case[] = [
  { name: 'the legacy API has one version', steps: [get('/api', { view: (body) => at(body, 'versions') })] },
  { name: 'the groups are listed with their versions', steps: [get('/apis', { view: ofOurGroups })] },
  ...groups.map(
    (name): Case => ({
      name: `the group ${name} names its versions`,
      steps: [get(`/apis/${name}`, { view: preferred })],
    }),
  ),
  list('the resources of v1 with verbs, short names and categories', '/api/v1'),
  list('the resources of apps/v1', '/apis/apps/v1'),
  list('the resources of batch/v1', '/apis/batch/v1'),
  list('the resources of discovery.k8s.io/v1', '/apis/discovery.k8s.io/v1'),
  list('the resources of events.k8s.io/v1', '/apis/events.k8s.io/v1'),
  list('the resources of rbac.authorization.k8s.io/v1', '/apis/rbac.authorization.k8s.io/v1'),
  list('the resources of coordination.k8s.io/v1', '/apis/coordination.k8s.io/v1'),
  list('the resources of apiextensions.k8s.io/v1', '/apis/apiextensions.k8s.io/v1'),
  list('the resources of admissionregistration.k8s.io/v1', '/apis/admissionregistration.k8s.io/v1'),
  list('the resources of authentication.k8s.io/v1', '/apis/authentication.k8s.io/v1'),
  list('the resources of authorization.k8s.io/v1', '/apis/authorization.k8s.io/v1'),
  list('the resources of autoscaling/v2', '/apis/autoscaling/v2'),
  list('the resources of networking.k8s.io/v1', '/apis/networking.k8s.io/v1'),
  list('the resources of policy/v1', '/apis/policy/v1'),
  list('the resources of storage.k8s.io/v1', '/apis/storage.k8s.io/v1'),
  {
    name: 'a group or version that nobody serves is not found',
    steps: [get('/apis/none.example.com'), get('/apis/apps/v7'), get('/api/v2')],
  },
  {
    name: 'the groups and their resources come in one answer',
    steps: [get('/apis', { ...aggregated, view: aggregatedOf }), get('/api', { ...aggregated, view: aggregatedOf })],
  },
  {
    name: 'the group of a definition is discovered, and gone with it',
    given: [
      ...served(
        crd(
          { description: 'What it sells.' },
          { subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } } },
          { names: { plural: 'shops', singular: 'shop', kind: 'Shop', shortNames: ['sh'], categories: ['all'] } },
        ),
      ),
      until('/apis/{group}/v1', (body) => JSON.stringify(body).includes('shops/scale')),
      until('/apis/{group}', (_, code) => code === 200),
    ],
    steps: [
      get('/apis/{group}'),
      get('/apis/{group}/v1', { view: withoutHash }),
      del(definition, undefined, { view: () => 'deleted' }),
      until('/apis/{group}', (_, code) => code === 404),
    ],
  },
  {
    name: 'the OpenAPI document of a definition has its schema',
    given: [
      post(
        definitions,
        crd({ description: 'What it sells.', properties: { size: { type: 'integer', description: 'How big.' } } }),
      ),
      until('/openapi/v3/apis/{group}/v1', (body) => JSON.stringify(body).includes('How big')),
    ],
    steps: [get('/openapi/v3/apis/{group}/v1', { view: schemaOf })],
  },
  {
    name: 'the OpenAPI index has a document for each group',
    steps: [
      get('/openapi/v3', {
        view: (body) =>
          ['api/v1', 'apis/apps/v1', 'apis/batch/v1'].map((key) =>
            String(typeof body === 'string' ? body : JSON.stringify(body)).includes(`"${key}"`),
          ),
      }),
    ],
  },
  {
    name: 'the server says that it is well, and which version it is',
    steps: [
      get('/healthz'),
      get('/readyz'),
      get('/livez'),
      get('/version', { view: (body) => [at(body, 'major'), at(body, 'minor')] }),
    ],
  },
];

type Item = Readonly<Record<string, unknown>>;

function itemsAt(body: unknown, key: string): readonly Item[] {
  const items = at(body, key);
  return Array.isArray(items) ? items : [];
}

function ofOurKinds(body: unknown): unknown {
  const resources = itemsAt(body, 'resources').filter(({ name }) => kinds.test(String(name)));
  return { ...(body as object), resources: resources.map(withoutStorageHash) };
}

/** A hash of the path in etcd. */
function withoutStorageHash(resource: Item): Item {
  return { ...resource, storageVersionHash: undefined };
}

function withoutHash(body: unknown): unknown {
  return { ...(body as object), resources: itemsAt(body, 'resources').map(withoutStorageHash) };
}

function ofOurGroups(body: unknown): unknown {
  return {
    ...(body as object),
    groups: itemsAt(body, 'groups')
      .filter(({ name }) => groups.includes(String(name)))
      .map(preferred),
  };
}

/** A real server has older versions of some groups. */
function preferred(group: unknown): unknown {
  const ours = at(group, 'name') === 'autoscaling' ? 'v2' : 'v1';
  const versions = itemsAt(group, 'versions').filter(({ version }) => version === ours);
  return { ...(group as object), versions };
}

function aggregatedOf(body: unknown): unknown {
  const ours = itemsAt(body, 'items').filter((item) =>
    [...groups, undefined].includes(at(item, 'metadata.name') as string | undefined),
  );
  return ours.map((item) => ({
    name: at(item, 'metadata.name'),
    resources: itemsAt(
      itemsAt(item, 'versions').find(
        ({ version }) => version === (at(item, 'metadata.name') === 'autoscaling' ? 'v2' : 'v1'),
      ),
      'resources',
    )
      .filter(({ resource }) => kinds.test(String(resource)))
      .map((resource) => ({
        ...resource,
        subresources: itemsAt(resource, 'subresources').filter(({ subresource }) =>
          /^(status|scale|finalize|token)$/.test(String(subresource)),
        ),
      })),
  }));
}

function schemaOf(body: unknown): unknown {
  const schemas = Object.entries(at(body, 'components.schemas') as Record<string, unknown>);
  return schemas.filter(([name]) => name.endsWith('.Shop')).map(([, schema]) => schema);
}
