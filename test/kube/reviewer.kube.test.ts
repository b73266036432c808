import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createReviewer, type Reviewer } from '../../packages/controller/cluster/reviewer.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { install, put } from './install.ts';
import { until } from './until.ts';

const api = apiFrom(testKubeconfig());
const namespace = `reviewer-${process.pid}`;
const read = { verb: 'get', path: '/events' } as const;
let review: Reviewer;
let close: () => void;
/** Milliseconds: what was said is remembered for ten seconds of it. */
let now = 0;

before(async () => {
  await install(api);
  await put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await put(api, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace } });
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const authorization = `Bearer ${await tokenOf('knudge', 'event-log')}`;
  const credentials = async (renewed: boolean) => {
    const { cert, key, ...rest } = await access.credentials(renewed);
    return { ...rest, authorization };
  };
  const transport = createTransport({ access: { ...access, credentials }, version: 'test' });
  close = transport.close;
  review = createReviewer(transport, () => now);
});
after(() => close());

async function tokenOf(home: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await api('POST', path, { body });
  assert.equal(answer.status, 201);
  return (answer.body as { status: { token: string } }).status.token;
}

test('the event log may ask who somebody is and what they may, with the Role that it is deployed with', async () => {
  assert.equal(await review('nonsense', read), 'unauthenticated');
  const token = await tokenOf(namespace, 'reader');
  assert.equal(await review(token, read), 'forbidden');
});

test('the ClusterRole of docs/event-log.md lets somebody read, and what it does not say stays forbidden', async () => {
  const name = namespace;
  const token = await tokenOf(namespace, 'reader');
  const rules = [{ nonResourceURLs: ['/events', '/dead-letters', '/gaps'], verbs: ['get'] }];
  await put(api, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace }];
  const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name } };
  await put(api, { ...binding, roleRef, subjects });
  await until('the authorizer knows', async () => {
    now += 10_001;
    return (await review(token, read)) === 'allowed';
  });
  assert.equal(await review(token, { verb: 'post', path: '/dead-letters' }), 'forbidden');
});

test('the ServiceAccount for people may read the log and send again, and nothing else', async () => {
  const token = await tokenOf('knudge', 'event-log-reader');
  await until('the authorizer knows', async () => {
    now += 10_001;
    return (await review(token, read)) === 'allowed';
  });
  for (const path of ['/events', '/dead-letters', '/gaps'])
    assert.equal(await review(token, { verb: 'get', path }), 'allowed');
  for (const path of ['/dead-letters', '/replay']) assert.equal(await review(token, { verb: 'post', path }), 'allowed');
  assert.equal(await review(token, { verb: 'post', path: '/events' }), 'forbidden');
});
