import { at, type Case, core, get, post, type Step } from '../case.ts';
import { configMap } from './bodies.ts';

const labels = (tier: string, more: object = {}) => ({ labels: { app: 'web', tier, ...more } });
const three: readonly Step[] = [
  post(core('configmaps'), configMap({}, { name: 'a', ...labels('front', { weight: '1' }) })),
  post(core('configmaps'), configMap({}, { name: 'b', ...labels('back') })),
  post(core('configmaps'), configMap({}, { name: 'c', ...labels('front', { weight: '2' }) })),
];
/** Every namespace has a ConfigMap of its own beside them. */
const ours = `${core('configmaps')}?labelSelector=app%3Dweb`;
const names = (body: unknown) => ({
  metadata: at(body, 'metadata'),
  names: itemsOf(body).map((item) => at(item, 'metadata.name')),
});

/** Lists: paging, versions. */
export const listCases: readonly Case[] = [
  { name: 'a list has its kind, and its items have none', given: three, steps: [get(ours)] },
  {
    name: 'an empty list has empty items',
    steps: [get(core('secrets')), get('/apis/apps/v1/namespaces/{ns}/deployments?labelSelector=a')],
  },
  {
    name: 'a list over all namespaces has those of each',
    given: three,
    steps: [get('/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns},metadata.name%3Da')],
  },
  {
    name: 'a list comes in pages, and says how many are left',
    given: three,
    steps: [
      get(`${core('configmaps')}?limit=2`, { save: { next: 'metadata.continue' }, view: names }),
      get(`${core('configmaps')}?limit=2&continue={next}`, { view: names }),
      get(`${core('configmaps')}?limit=4`, { view: names }),
      get(`${core('configmaps')}?limit=0`, { view: names }),
    ],
  },
  {
    name: 'pages with a selector do not say how many are left',
    given: three,
    steps: [
      get(`${ours}&limit=1`, { save: { next: 'metadata.continue' }, view: names }),
      get(`${ours}&limit=1&continue={next}`, { save: { next: 'metadata.continue' }, view: names }),
      get(`${ours}&limit=1&continue={next}`, { view: names }),
    ],
  },
  {
    name: 'later pages show the list as it was at the first',
    given: [
      ...three,
      get(`${core('configmaps')}?limit=1`, { save: { next: 'metadata.continue' } }),
      post(core('configmaps'), configMap({}, { name: 'aa' })),
    ],
    steps: [get(`${core('configmaps')}?limit=9&continue={next}`, { view: names })],
  },
  {
    name: 'a bad limit or continue token is refused',
    given: three,
    steps: [
      get(`${core('configmaps')}?limit=many`),
      get(`${core('configmaps')}?limit=-1`, { view: namesOrError }),
      get(`${core('configmaps')}?limit=1&continue=nonsense`),
      get(`${core('configmaps')}?limit=1&continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: '../x' })}`),
      get(`${core('configmaps')}?limit=1&continue=${token({ v: 'v0', rv: 1, start: 'a' })}`),
      get(
        `${core('configmaps')}?limit=1&continue=${token({ v: 'meta.k8s.io/v1', rv: 1, start: 'a\u0000' })}&resourceVersion=1`,
      ),
    ],
  },
  {
    name: 'a list may ask for a resourceVersion that it is at least or exactly as new as',
    given: [...three, get(ours, { save: { now: 'metadata.resourceVersion' } })],
    steps: [
      get(`${ours}&resourceVersion=0`, { view: names }),
      get(`${ours}&resourceVersion={now}&resourceVersionMatch=NotOlderThan`, { view: names }),
      get(`${ours}&resourceVersion={now}&resourceVersionMatch=Exact`, { view: names }),
      get(`${ours}&resourceVersionMatch=Exact`),
      get(`${ours}&resourceVersion=first`),
      get(`${ours}&resourceVersion={now}&resourceVersionMatch=Sometimes`),
    ],
  },
];

function itemsOf(body: unknown): readonly unknown[] {
  const items = at(body, 'items');
  return Array.isArray(items) ? items : [];
}

function namesOrError(body: unknown): unknown {
  return at(body, 'kind') === 'Status' ? body : itemsOf(body).map((item) => at(item, 'metadata.name'));
}

function token(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
