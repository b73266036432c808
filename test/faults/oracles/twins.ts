import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

/** The objects of two runs; the second in a namespace `home`, if it is another. */
export interface Twin {
  readonly one: readonly KubeObject[];
  readonly other: readonly KubeObject[];
  readonly home?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const uids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

function make(kind: string, metadata: Fields = {}, fields: Fields = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'one', namespace: 'shop', ...metadata }, ...fields };
}

/** The same object twice, with something else in each. */
function pair(first: KubeObject, second: KubeObject): Twin {
  return { one: [first], other: [second] };
}

function owned(kind: string, name: string, [ownerKind, uid]: readonly [string, string]): KubeObject {
  const owner = {
    apiVersion: ownerKind === 'Message' ? 'myorg.dev/v1' : 'apps/v1',
    kind: ownerKind,
    name: 'hello',
    uid,
  };
  return make(kind, { name, ownerReferences: [{ ...owner, controller: true }] });
}

function message(uid: string): KubeObject {
  return { ...make('Message', { name: 'hello', uid }), apiVersion: 'myorg.dev/v1' };
}

function secret(data: Fields, managedBy = 'knudge'): KubeObject {
  return make('Secret', { labels: { 'app.kubernetes.io/managed-by': managedBy } }, { data });
}

function pod(address: string): KubeObject {
  return make('Pod', { name: 'backend' }, { status: { podIP: address } });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const pem = (label: string, text: string): string =>
  `-----BEGIN ${label}-----\n${base64(text)}\n-----END ${label}-----\n`;
const config = (text: string): KubeObject => make('ConfigMap', {}, { data: { text } });

/** As they were seen in two honest runs, each cut down to what differs. */
const hidden: Readonly<Record<string, Twin>> = {
  Events: { one: [], other: [make('Event', { name: 'web.61f838d4c5384a5e' }, { reason: 'Running' })] },
  'what the cluster makes of what is compared': {
    one: [owned('ReplicaSet', 'frp-web-qk84j8svwk', ['Deployment', uids[0]])],
    other: [owned('ReplicaSet', 'frp-web-d46kgx9f7c', ['Deployment', uids[0]])],
  },
  resourceVersions: pair(make('Pod', { resourceVersion: '7' }), make('Pod', { resourceVersion: '9' })),
  'field managers': pair(
    make('Pod', { managedFields: [{ manager: 'knudge', operation: 'Update' }] }),
    make('Pod', { managedFields: [{ manager: 'knudge', operation: 'Apply' }] }),
  ),
  generations: pair(make('Deployment', { generation: 1 }), make('Deployment', { generation: 3 })),
  'how often and when something was tried, and what was written of late': pair(
    { ...message(uids[0]), status: { attempts: 1, lastAttempt: '2026-01-01T00:00:00Z' } } as KubeObject,
    { ...message(uids[0]), status: { attempts: 2, recentWrites: { inputs: 'a1' } } } as KubeObject,
  ),
  'what the controllers of the cluster write on objects that are not parents': pair(
    make('Deployment', { annotations: { 'deployment.kubernetes.io/revision': '1' } }, { status: { replicas: 1 } }),
    make('Deployment', { annotations: { 'deployment.kubernetes.io/revision': '2' } }, { status: { replicas: 1 } }),
  ),
  'the node of a Pod and the name of its volume for the API server': pair(
    make('Pod', {}, { spec: { nodeName: 'node-1', volumes: [{ name: 'kube-api-access-2hzq2' }] } }),
    make('Pod', {}, { spec: { nodeName: 'node-2', volumes: [{ name: 'kube-api-access-gztfk' }] } }),
  ),
  uids: {
    one: [message(uids[0]), owned('Pod', 'msg-hello', ['Message', uids[0]])],
    other: [message(uids[1]), owned('Pod', 'msg-hello', ['Message', uids[1]])],
  },
  times: pair(config('until 2026-01-08T00:00:00Z'), config('until 2026-01-08T00:05:00Z')),
  hashes: pair(config('0123456789abcdef0123456789abcdef'), config('0123456789abcdef0123456789abcde0')),
  'the bytes of our Secrets': pair(
    secret({ 'tls.key': base64(pem('PRIVATE KEY', 'one')), token: base64('0123456789') }),
    secret({ 'tls.key': base64(pem('PRIVATE KEY', 'another')), token: base64('abcdefghij') }),
  ),
  'namespaces of the parents': {
    one: [config('web.shop.distributedservices.frp.io')],
    other: [make('ConfigMap', { namespace: 'run-7' }, { data: { text: 'web.run-7.distributedservices.frp.io' } })],
    home: 'run-7',
  },
  'addresses of Pods and Services': {
    one: [pod('10.0.0.5'), service('10.96.0.1'), config('at 10.0.0.5 and 10.96.0.1')],
    other: [pod('10.0.0.9'), service('10.96.0.2'), config('at 10.0.0.9 and 10.96.0.2')],
  },
  'the marks of those who meddle, claims that are let go, and what a claim is the hash of': pair(
    make('Service', { labels: { 'claim.frp.io/oy4m24fqbhlc': 'held' } }),
    make('Service', {
      labels: {
        'claim.frp.io/lcvm53myfk69': 'held',
        'example.com/touched': 'x',
        'claim.frp.io/3bl0thmtk54rg': 'released',
      },
      annotations: { 'example.com/edited': '1' },
    }),
  ),
};

function service(clusterIP: string): KubeObject {
  return make('Service', {}, { spec: { clusterIP, clusterIPs: [clusterIP] } });
}

/** What no mask may hide. */
const shown: Readonly<Record<string, Twin>> = {
  'a Service without an address': pair(
    make('Service', {}, { spec: { clusterIP: 'None' } }),
    make('Service', {}, { spec: { clusterIP: '10.96.0.2' } }),
  ),
  'the status of a parent': pair(
    { ...message(uids[0]), status: { phase: 'Processed' } } as KubeObject,
    { ...message(uids[0]), status: { phase: 'Pending' } } as KubeObject,
  ),
  'an owner that is gone': {
    one: [message(uids[0]), owned('Pod', 'msg-hello', ['Message', uids[0]])],
    other: [message(uids[0]), owned('Pod', 'msg-hello', ['Message', uids[1]])],
  },
  'another sort of bytes': pair(
    secret({ 'tls.key': base64(pem('PRIVATE KEY', 'one')) }),
    secret({ 'tls.key': base64(pem('CERTIFICATE', 'one')) }),
  ),
  'the length of a token': pair(secret({ token: base64('0123456789') }), secret({ token: base64('012') })),
  'a key that a Secret lacks': pair(secret({ token: 'YQ==', more: 'YQ==' }), secret({ token: 'YQ==' })),
  'a Secret of somebody else': pair(secret({ token: 'YQ==' }, 'helm'), secret({ token: 'Yg==' }, 'helm')),
  'an address that is no Pod': pair(config('at 10.9.9.9'), config('at 10.9.9.8')),
  'a claim': pair(make('Service'), make('Service', { labels: { 'claim.frp.io/3bl0thmtk54rg': 'held' } })),
  'a label of somebody': pair(make('Pod'), make('Pod', { labels: { team: 'a' } })),
  'a finalizer': pair(make('Pod'), make('Pod', { finalizers: ['frp.io/cleanup'] })),
  'a child that is told to go': pair(make('Pod'), make('Pod', { deletionTimestamp: '2026-01-01T00:00:00Z' })),
};

export const twins = { hidden, shown } as const;
