import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { formerAccounts } from '../../cli/doctor/checks/former.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { accountFile, accounts, olderAccount } from '../build/accounts.ts';
import { distributedService, object } from '../build/objects.ts';
import { apiOf } from '../kube/account-api.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { install, objectsIn, pathOf, put } from '../kube/install.ts';
import { until } from '../kube/until.ts';
import { attacksOn } from './rights/attacks.ts';

interface Policy extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly typeChecking?: { readonly expressionWarnings?: readonly unknown[] };
  };
}

const admin = apiFrom(testKubeconfig());
const foreign = 'attacked';
const attacks = attacksOn(foreign);
/** As an upgrade leaves them, with all their rights. */
const older = formerAccounts.flatMap((name) => olderAccount(name, objectsIn(accountFile('distributed-service'))));

before(async () => {
  await install(admin);
  await put(admin, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: foreign } });
  const labels = { app: 'foreign' };
  const metadata = { namespace: foreign, labels };
  const pod = { terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'app:1' }] };
  for (const one of [
    object('ServiceAccount', 'powerful', { metadata }),
    object('Secret', 'foreign', { metadata }),
    object('ConfigMap', 'foreign', { metadata }),
    object('Service', 'foreign', { metadata, spec: { selector: labels, ports: [{ port: 80 }] } }),
    object('Pod', 'foreign', { metadata, spec: pod }),
    object('apps/v1 Deployment', 'foreign', {
      metadata,
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    }),
    distributedService('web', {}, { namespace: foreign }),
    ...older,
  ])
    await put(admin, one);
});

after(async () => {
  for (const { apiVersion, kind, metadata } of older) await admin('DELETE', pathOf(apiVersion, kind, metadata));
});

test('3: each attack is a request that can be made: an administrator may', async () => {
  for (const { name, method, path, ...call } of attacks) {
    const query = method === 'GET' ? {} : { query: { dryRun: 'All' } };
    const { status, body } = await admin(method, path, { ...call, ...query });
    assert.ok(status < 300, `${name}: ${String(status)} ${JSON.stringify(body)}`);
  }
});

test('3: the API server finds nothing wrong with the types of the policies', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  for (const name of ['knudge-itself', 'knudge-children', 'knudge-claims']) {
    await until(`${name} is looked at`, async () => {
      const { metadata, status } = (await admin('GET', `${path}/${name}`)).body as Policy;
      assert.deepEqual(status?.typeChecking?.expressionWarnings ?? [], []);
      return status?.observedGeneration === metadata.generation || status;
    });
  }
});

test('3: one account of the functions alone reads a Secret or a ConfigMap by its name', async () => {
  for (const kind of ['secrets', 'configmaps']) {
    const readers: string[] = [];
    for (const account of accounts.keys()) {
      const thief = await apiOf({ namespace: 'knudge', name: account });
      const { status } = await thief('GET', `/api/v1/namespaces/${foreign}/${kind}/foreign`);
      if (status === 200) readers.push(account);
      else assert.equal(status, 403, `${kind} as ${account}`);
    }
    assert.deepEqual(readers, ['distributed-service'], kind);
  }
});

for (const account of [...accounts.keys(), ...formerAccounts]) {
  suite(`3: a stolen token of ${account}`, () => {
    let thief: typeof admin;
    before(async () => {
      thief = await apiOf({ namespace: 'knudge', name: account });
      // A policy is in force a moment after it was made.
      const [mint] = attacks;
      await until('the policies are in force', async () => {
        const { status } = await thief('POST', mint?.path ?? '', { body: mint?.body, query: { dryRun: 'All' } });
        return status === 403;
      });
    });
    for (const { name, method, path, ...call } of attacks) {
      test(`does not serve to ${name}`, async () => {
        const { status, body } = await thief(method, path, call);
        assert.equal(status, 403, `${String(status)} ${JSON.stringify(body)}`);
      });
    }
    test('does not serve to be somebody else', async () => {
      const as = { user: 'kubernetes-admin', groups: ['system:masters'] };
      const { status } = await thief('GET', '/api/v1/namespaces', { as });
      assert.equal(status, 403);
    });
  });
}
