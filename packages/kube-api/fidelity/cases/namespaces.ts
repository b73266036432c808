import { at, type Case, core, del, get, group, mergePatch, post, put, type Step, until } from '../case.ts';
import { configMap, deployment, pod } from './bodies.ts';

const own = '/api/v1/namespaces/{ns}';
const held: readonly Step[] = [post(core('configmaps'), configMap({}, { finalizers: ['example.com/keep'] }))];
const gone = (_: unknown, code: number) => code === 404;
const conditions = (body: unknown) => JSON.stringify(at(body, 'status')).includes('NamespaceFinalizersRemaining');
const newest = '/api/v1/namespaces/{ns}-new';

/** Namespaces: what they begin with, and how they end. */
export const namespaceCases: readonly Case[] = [
  {
    name: 'a new namespace is active and gets a ServiceAccount and the certificate of the API',
    steps: [
      post('/api/v1/namespaces', { metadata: { name: '{ns}-new', labels: { team: 'a' } } }),
      until('/api/v1/namespaces/{ns}-new/serviceaccounts/default', (_, code) => code === 200),
      until('/api/v1/namespaces/{ns}-new/configmaps/kube-root-ca.crt', (_, code) => code === 200, {
        view: withoutCertificate,
      }),
      post('/api/v1/namespaces', { metadata: { name: '{ns}-new' } }),
      del(newest),
      until(newest, gone),
    ],
  },
  {
    name: 'the name of a namespace must be a DNS label',
    steps: ['Web', 'a.b', 'a'.repeat(64)].map((name) => post('/api/v1/namespaces', { metadata: { name } })),
  },
  {
    name: 'a namespace that does not exist takes nothing',
    steps: [
      post('/api/v1/namespaces/{ns}-none/pods', pod()),
      put('/api/v1/namespaces/{ns}-none/configmaps/web', configMap()),
      get('/api/v1/namespaces/{ns}-none/pods'),
      get('/api/v1/namespaces/{ns}-none'),
    ],
  },
  {
    name: 'a namespace with content goes with all of it',
    given: [
      post('/api/v1/namespaces', { metadata: { name: '{ns}-new' } }),
      until('/api/v1/namespaces/{ns}-new/serviceaccounts/default', (_, code) => code === 200),
      post('/api/v1/namespaces/{ns}-new/configmaps', configMap()),
      post('/api/v1/namespaces/{ns}-new/pods', pod()),
      post('/apis/apps/v1/namespaces/{ns}-new/deployments', deployment()),
    ],
    steps: [
      del(newest),
      until(newest, gone),
      get('/api/v1/namespaces/{ns}-new/configmaps'),
      get('/apis/apps/v1/namespaces/{ns}-new/deployments'),
    ],
  },
  {
    name: 'a namespace waits for what has a finalizer, and takes nothing new meanwhile',
    given: held,
    steps: [
      del(own),
      until(own, conditions, { view: phaseAndConditions }),
      post(core('configmaps'), configMap({}, { name: 'late' })),
      post(core('pods'), pod()),
      put(core('configmaps', 'web'), configMap({ still: 'writable' }, { finalizers: ['example.com/keep'] })),
      del(own, { propagationPolicy: 'Foreground' }, { view: phase }),
      mergePatch(core('configmaps', 'web'), { metadata: { finalizers: null } }),
      until(own, gone),
    ],
  },
  {
    name: 'a PUT does not touch the finalizers of a namespace, its subresource does',
    steps: [
      put(own, { metadata: { name: '{ns}', labels: { team: 'b' } }, spec: { finalizers: [] } }),
      put(`${own}/finalize`, { metadata: { name: '{ns}' }, spec: { finalizers: ['kubernetes', 'example.com/keep'] } }),
      put(`${own}/finalize`, { metadata: { name: '{ns}' }, spec: { finalizers: ['kubernetes'] } }),
      mergePatch(own, { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } }),
    ],
  },
  {
    name: 'a namespace may be deleted with a precondition only',
    steps: [del(own, { preconditions: { uid: '11111111-2222-4333-8444-555555555555' } }), get(own)],
  },
  {
    name: 'the namespaces that each cluster has cannot be deleted, or only for a moment',
    steps: [del('/api/v1/namespaces/default'), del('/api/v1/namespaces/kube-system')],
  },
  {
    name: 'objects of one name in two namespaces are two',
    given: [
      post('/api/v1/namespaces', { metadata: { name: '{ns}-new' } }),
      post('/api/v1/namespaces/{ns}-new/configmaps', configMap({ where: 'there' })),
      post(core('configmaps'), configMap({ where: 'here' })),
    ],
    steps: [
      del('/api/v1/namespaces/{ns}-new/configmaps/web'),
      get(core('configmaps', 'web')),
      del(newest, undefined, { view: phase }),
    ],
  },
  {
    name: 'what has no namespace is not found in one',
    steps: [get('/api/v1/namespaces/{ns}/nodes'), get(group('rbac.authorization.k8s.io/v1', 'clusterroles'))],
  },
];

/** Each cluster has a certificate of its own, or none, and its own words for it. */
function withoutCertificate(body: unknown): unknown {
  return { name: at(body, 'metadata.name'), data: Object.keys((at(body, 'data') ?? {}) as object) };
}

function phase(body: unknown): unknown {
  return at(body, 'status.phase');
}

function phaseAndConditions(body: unknown): unknown {
  const metadata = at(body, 'metadata');
  return {
    spec: at(body, 'spec'),
    status: at(body, 'status'),
    deleted: JSON.stringify(metadata).includes('deletionTimestamp'),
  };
}
