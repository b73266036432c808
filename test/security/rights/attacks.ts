import { authorityName, childName } from '../../../resources/distributed-service/names.ts';
import { labelled } from '../../kube/admission.ts';
import { pathOf } from '../../kube/install.ts';

/** One request that a thief of a token would make; the administrator of the cluster may make it. */
export interface Attack {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Children of a service that there is not: what is named so is what Knudge makes. */
const ghost = { name: 'ghost', uid: 'f5d6ee5c-0000-4000-8000-000000000000', controller: true };
const ownerOf = {
  service: { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', ...ghost },
  message: { apiVersion: 'myorg.dev/v1', kind: 'Message', ...ghost },
} as const;
const marks = { 'knudge.dev/owner-uid': ghost.uid, 'app.kubernetes.io/managed-by': 'knudge' };
const harmless = { automountServiceAccountToken: false, containers: [{ name: 'message', image: 'x:1' }] };
const merge = 'application/merge-patch+json';
const system = 'kube-system';

/** What makes a Pod more than Knudge ever makes. */
const powers: Readonly<Record<string, object>> = {
  'as another account': { serviceAccountName: 'powerful' },
  'with the token of its account': { automountServiceAccountToken: true },
  'with the network of its node': { hostNetwork: true },
  'with the processes of its node': { hostPID: true },
  'with the memory of its node': { hostIPC: true },
  'with the files of its node': { volumes: [{ name: 'root', hostPath: { path: '/' } }] },
  'with a claim of somebody’s': { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  'with a token as a file': {
    volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
  },
  'with a privileged container': {
    containers: [{ name: 'message', image: 'x:1', securityContext: { privileged: true } }],
  },
  'with a privileged container before the others': {
    initContainers: [{ name: 'first', image: 'x:1', securityContext: { privileged: true } }],
  },
  'with the administration of its node’s network': {
    containers: [{ name: 'message', image: 'x:1', securityContext: { capabilities: { add: ['NET_ADMIN'] } } }],
  },
};

/**
 * Each as Knudge would never ask for it. `foreign` is a namespace with objects of that name that are nobody's children, with the
 * account `powerful` and the DistributedService `web`.
 */
export function attacksOn(foreign: string): readonly Attack[] {
  return [...mints(foreign), ...pods(foreign), ...changes(foreign), ...strayChildren(foreign), ...elsewhere(foreign)];
}

interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly [field: string]: unknown;
}

function created(name: string, { namespace, ...body }: Made): Attack {
  const { apiVersion, kind } = body;
  return { name, method: 'POST', path: pathOf(apiVersion, kind, { namespace }), body };
}

/** A Secret of this type is filled by the control plane with a token of the account that it names. */
function mints(foreign: string): readonly Attack[] {
  const annotations = { 'kubernetes.io/service-account.name': 'powerful' };
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: foreign, type: 'kubernetes.io/service-account-token' };
  return [
    created('mint a token by a Secret', { ...secret, metadata: { name: 'stolen', annotations } }),
    created('mint a token by a Secret that looks like a child', {
      ...secret,
      metadata: {
        ...{ name: childName('ghost', 'identity'), annotations, labels: marks },
        ownerReferences: [ownerOf.service],
      },
    }),
    created('mint a token by a Secret that looks like an authority', {
      ...secret,
      metadata: { name: authorityName('ghost'), annotations, labels: { 'frp.io/certificate-authority': 'ghost' } },
    }),
    {
      ...{
        name: 'ask for a token',
        method: 'POST',
        path: `/api/v1/namespaces/${foreign}/serviceaccounts/powerful/token`,
      },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    },
  ];
}

/** Each as a Pod of a Message and as a tunnel, and one of nobody. */
function pods(foreign: string): readonly Attack[] {
  return Object.entries(powers).flatMap(([how, power]) => {
    const spec = { ...harmless, ...power };
    const labels = { ...marks, app: 'ghost' };
    const template = { metadata: { labels }, spec };
    return [
      created(`a Pod ${how}`, {
        ...{ apiVersion: 'v1', kind: 'Pod', namespace: foreign, spec },
        metadata: { name: 'msg-ghost', labels, ownerReferences: [ownerOf.message] },
      }),
      created(`a Deployment ${how}`, {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: foreign },
        metadata: { name: 'frp-ghost', labels, ownerReferences: [ownerOf.service] },
        spec: { selector: { matchLabels: labels }, template },
      }),
    ];
  });
}

const foreigners = [
  ['v1', 'Secret'],
  ['v1', 'ConfigMap'],
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
] as const;

/** Objects that are not Knudge's: also where the same request marks them as if they were. */
function changes(foreign: string): readonly Attack[] {
  const marked = { metadata: { labels: marks, ownerReferences: [ownerOf.service] } };
  return foreigners.flatMap(([apiVersion, kind]) => {
    const path = pathOf(apiVersion, kind, { namespace: foreign, name: 'foreign' });
    return [
      { name: `change a ${kind} of somebody else`, method: 'PATCH', path, ...labelled('a', 'b') },
      { name: `make a ${kind} of somebody else ours`, method: 'PATCH', path, body: marked, contentType: merge },
      { name: `delete a ${kind} of somebody else`, method: 'DELETE', path },
    ];
  });
}

/** Children where Knudge makes none, of owners that Knudge has not. */
function strayChildren(foreign: string): readonly Attack[] {
  const service = { apiVersion: 'v1', kind: 'Service', namespace: foreign, spec: { ports: [{ port: 80 }] } };
  const named = { name: childName('ghost', 'balanced'), labels: marks };
  const owned = { ...named, ownerReferences: [ownerOf.service] };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', namespace: foreign };
  const stranger = { ...ownerOf.service, apiVersion: 'example.com/v1' };
  return [
    created('a child without an owner', { ...configMap, metadata: named }),
    created('a child of somebody else’s', {
      ...configMap,
      metadata: { ...named, ownerReferences: [stranger] },
    }),
    created('a child of any name', { ...configMap, metadata: { ...owned, name: 'kube-root-ca.crt-2' } }),
    created('a Service on the ports of all nodes', {
      ...service,
      metadata: owned,
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    }),
    created('a Service that leads to another name', {
      ...{ ...service, metadata: owned },
      spec: { type: 'ExternalName', externalName: 'example.com' },
    }),
    created('a Service that takes the traffic of an address', {
      ...{ ...service, metadata: owned },
      spec: { externalIPs: ['192.0.2.1'], ports: [{ port: 80 }] },
    }),
    created('a Pod of nobody’s', {
      ...{ apiVersion: 'v1', kind: 'Pod', namespace: system, spec: harmless },
      metadata: { name: 'msg-ghost', labels: marks },
    }),
  ];
}

/** Beyond the kinds of children. */
function elsewhere(foreign: string): readonly Attack[] {
  const web = pathOf('frp.io/v1beta1', 'DistributedService', { namespace: foreign, name: 'web' });
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/knudge-distributed-service';
  const finalizers = ['frp.io/cleanup', 'example.com/stays'];
  const services = [{ uid: ghost.uid, name: ghost.name, locations: [''] }];
  const what = { server: 'knudge/default', kind: 'TCPPort', value: '15901', since: '2026-01-01T00:00:00Z' };
  const spec = { ...what, state: 'Held', namespace: foreign, services };
  const claim = { apiVersion: 'frp.io/v1beta1', kind: 'Claim', spec } as const;
  const name = 'claim-0123456789abcdef0123456789abcdef';
  return [
    created('keep a Claim where tenants are', { ...claim, namespace: foreign, metadata: { name } }),
    created('keep a Claim for ever', { ...claim, namespace: 'knudge', metadata: { name, finalizers } }),
    created('make a Claim of any name', { ...claim, namespace: 'knudge', metadata: { name: 'mine' } }),
    {
      ...{ name: 'change the spec of a service', method: 'PATCH', path: web, contentType: merge },
      body: { spec: { expose: { remotePort: 15_900 } } },
    },
    { name: 'change the labels of a service', method: 'PATCH', path: web, ...labelled('a', 'b') },
    {
      ...{ name: 'keep a service for ever', method: 'PATCH', path: web, contentType: merge },
      body: { metadata: { finalizers } },
    },
    { name: 'delete a service', method: 'DELETE', path: web },
    { name: 'widen a role', method: 'PATCH', path: role, ...labelled('a', 'b') },
    { name: 'list Secrets', method: 'GET', path: `/api/v1/namespaces/${system}/secrets` },
  ];
}
