import type { CallSite } from '../../../packages/controller/testing/kinds/kind.ts';

const ref = (kind: string, name: string, apiVersion = 'v1') => ({ apiVersion, kind, namespace: 'shop', name });
const ours = { metadata: { labels: { 'app.kubernetes.io/managed-by': 'knudge' } } };
const theirs = { metadata: {} };
const parent = ref('DistributedService', 'web', 'frp.io/v1beta1');
const child = ref('ConfigMap', 'frp-web-config');
const app = ref('Deployment', 'app', 'apps/v1');

/** One call of each sort that Knudge makes. */
export const sites = {
  getParent: {
    isOfParent: true,
    verb: 'get',
    resource: 'distributedservices',
    ref: parent,
    done: { status: 200, body: theirs },
  },
  getAbsentChild: { verb: 'get', resource: 'configmaps', ref: child, done: { status: 404, body: {} } },
  getChild: { verb: 'get', resource: 'configmaps', ref: child, done: { status: 200, body: ours } },
  getInput: { verb: 'get', resource: 'deployments', ref: app, done: { status: 200, body: theirs } },
  list: { verb: 'list', resource: 'pods', ref: ref('Pod', ''), done: { status: 200, body: { items: [] } } },
  createChild: { verb: 'create', resource: 'configmaps', ref: child, done: { status: 201, body: ours } },
  createPod: { verb: 'create', resource: 'pods', ref: ref('Pod', 'msg-hello'), done: { status: 201, body: ours } },
  createEvent: {
    verb: 'create',
    resource: 'events',
    ref: ref('Event', 'web.17f', 'events.k8s.io/v1'),
    done: { status: 201, body: theirs },
  },
  applyChild: { verb: 'apply', resource: 'configmaps', ref: child, done: { status: 200, body: ours } },
  ownChild: { verb: 'patch-json', resource: 'configmaps', ref: child, done: { status: 200, body: ours } },
  applyStatus: {
    isOfParent: true,
    verb: 'apply',
    resource: 'distributedservices/status',
    ref: parent,
    done: { status: 200, body: theirs },
  },
  finalizers: {
    isOfParent: true,
    verb: 'patch-merge',
    resource: 'distributedservices',
    ref: parent,
    done: { status: 200, body: theirs },
  },
  scale: { verb: 'patch-json', resource: 'deployments/scale', ref: app, done: { status: 200, body: theirs } },
  deleteChild: { verb: 'delete', resource: 'configmaps', ref: child, done: { status: 200, body: {} } },
} as const satisfies Record<string, CallSite>;
