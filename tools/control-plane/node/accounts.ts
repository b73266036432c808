import type { ApiClient } from '../api-client.ts';
import { ClusterError } from '../errors.ts';
import { place } from './place.ts';

type Post = { path: string; body: object };

const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const accounts = '/api/v1/namespaces/kube-system/serviceaccounts';
const year = 365 * 24 * 3600;

/**
 * Makes what kubeadm makes for a node: accounts for kube-proxy and for a kubelet that asks for its certificate, each with
 * the token that this returns; the right of the API server to call kubelets; an address for the Service `kubernetes`.
 */
export async function makeAccounts(call: ApiClient): Promise<{ proxy: string; bootstrap: string }> {
  await post(call, binding('knudge-apiserver', 'system:kubelet-api-admin', { kind: 'User', name: 'kube-apiserver' }));
  await post(call, apiEndpoint);
  return {
    proxy: await accountToken(call, 'kube-proxy', ['system:node-proxier']),
    bootstrap: await accountToken(call, 'node-bootstrap', [
      'system:node-bootstrapper',
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    ]),
  };
}

async function accountToken(call: ApiClient, name: string, roles: readonly string[]): Promise<string> {
  await post(call, { path: accounts, body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } } });
  const subject = { kind: 'ServiceAccount', name, namespace: 'kube-system' };
  for (const [index, role] of roles.entries()) await post(call, binding(`knudge-${name}-${index}`, role, subject));
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: year },
  };
  const body = await post(call, { path: `${accounts}/${name}/token`, body: request });
  return (body as { status: { token: string } }).status.token;
}

function binding(name: string, role: string, subject: object): Post {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    path: rbac,
    body: {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [subject],
    },
  };
}

/** The API server writes no address by itself, because it was given a loopback one. */
const apiEndpoint: Post = {
  path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
  body: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [place.address], conditions: { ready: true } }],
    ports: [{ name: 'https', port: place.apiPort, protocol: 'TCP' }],
  },
};

async function post(call: ApiClient, { path, body }: Post): Promise<unknown> {
  const answer = await call('POST', path, body);
  if (answer.status === 201) return answer.body;
  throw new ClusterError(`POST ${path} for the node was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
