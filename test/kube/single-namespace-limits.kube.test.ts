import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { apiOf } from './account-api.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { grantedIn } from './audit.ts';
import { put } from './install.ts';
import { installRights, singleNamespace } from './single-namespace.ts';

type Api = ReturnType<typeof apiFrom>;

interface Role extends KubeObject {
  readonly rules: Parameters<typeof grantedIn>[0];
}

const admin = apiFrom(testKubeconfig());
const home = `limits-${randomUUID().slice(0, 8)}`;
const foreign = `${home}-not`;
let objects: readonly KubeObject[];
let accounts: readonly string[];

before(async () => {
  objects = await singleNamespace(home);
  accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
  await installRights(admin, objects);
  await put(admin, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: foreign } });
});

const userOf = (account: string): string => `system:serviceaccount:${home}:${account}`;

test('no account of the overlay may read in another namespace, or in all', async () => {
  for (const name of accounts) {
    const api = await apiOf({ namespace: home, name });
    for (const path of ['/api/v1/pods', `/api/v1/namespaces/${foreign}/pods`, '/apis/myorg.dev/v1/messages'])
      assert.equal((await api('GET', path)).status, 403, `${name} ${path}`);
  }
});

test('what its Roles let an account do in the namespace it may not do in another one', {
  timeout: 60_000,
}, async () => {
  const rules = objects.flatMap((one) => (one.kind === 'Role' ? (one as Role).rules : []));
  const rights = [...new Set(grantedIn(rules))];
  assert.ok(rights.length > 30, rights.join());
  const allowed = async (name: string, namespace: string): Promise<readonly string[]> => {
    const answers = await Promise.all(
      rights.map(async (right) => {
        const [verb = '', group = '', resource = '', subresource = ''] = right.split(/[ /]/);
        const resourceAttributes = { namespace, verb, group, resource, subresource };
        const groups = ['system:serviceaccounts', `system:serviceaccounts:${home}`, 'system:authenticated'];
        return { right, may: await mayBe(admin, { user: userOf(name), groups, resourceAttributes }) };
      }),
    );
    return answers.filter(({ may }) => may).map(({ right }) => right);
  };
  for (const name of accounts) assert.deepEqual(await allowed(name, foreign), [], name);
  assert.ok((await allowed('distributed-service', home)).length > 20, 'the question is understood');
});

test('the event log may ask who somebody is and what they may, and its readers may read', async () => {
  const api = await apiOf({ namespace: home, name: 'event-log' });
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'nonsense' } };
  assert.equal((await api('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: review })).status, 201);
  const nonResourceAttributes = { verb: 'get', path: '/events' };
  assert.equal(await mayBe(api, { user: userOf('event-log-reader'), nonResourceAttributes }), true);
  assert.equal(await mayBe(api, { user: userOf('distributed-service'), nonResourceAttributes }), false);
});

/** A SubjectAccessReview. */
async function mayBe(api: Api, spec: object): Promise<boolean> {
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const answer = await api('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body });
  assert.equal(answer.status, 201);
  return (answer.body as { status: { allowed: boolean } }).status.allowed;
}
