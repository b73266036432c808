import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, createCluster } from '../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import type { ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { readCrd } from '../crds/read.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { type Arena, configMap, field } from './arena.ts';
import { cases } from './cases.ts';
import { realUser } from './real-user.ts';
import '../../resources/managed/kinds.ts';

const kubeconfig = testKubeconfig();
const request = apiFrom(kubeconfig);
const user = realUser(request);
const namespace = `same-${process.pid}`;
const terminatingNamespace = `${namespace}-terminating`;
/** Time for the garbage collector to hear of new objects, and the bound of every wait. */
const [seen, patience] = [1500, 30_000];

let cluster: Cluster;

before(async () => {
  const access = await outsideCluster({ kubeconfig });
  cluster = createCluster({ access, version: 'test', instance: 'same', onLostNotice: (error) => assert.fail(error) });
  for (const name of ['distributedservices', 'messages']) await install(name);
  for (const name of [namespace, `${namespace}-empty`, terminatingNamespace]) {
    await request('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  }
  await user.put(keeper(['example.com/keep']));
  await request('DELETE', `/api/v1/namespaces/${terminatingNamespace}`);
  await until(`a ServiceAccount in ${namespace}`, async () => {
    const { status } = await request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
    return status === 200;
  });
});

after(async () => {
  await user.put(keeper([]));
  for (const plural of ['configmaps', 'secrets']) await release(`/api/v1/namespaces/${namespace}/${plural}`);
  await release(`/apis/myorg.dev/v1/namespaces/${namespace}/messages`);
  for (const name of [namespace, `${namespace}-empty`]) await request('DELETE', `/api/v1/namespaces/${name}`);
  cluster.close();
});

for (const [index, { name, run, want }] of cases.entries()) {
  test(name, async () => assert.deepEqual(await run(arena(index)), want));
}

function arena(index: number): Arena {
  return {
    cluster,
    user,
    collector: { see: () => sleep(seen), collect: (ref) => until(`${ref.name} to go`, () => isGone(ref)) },
    namespace,
    emptyNamespace: `${namespace}-empty`,
    absentNamespace: `${namespace}-absent`,
    terminatingNamespace,
    name: `case-${index}`,
  };
}

/** Keeps its namespace terminating for as long as it has finalizers. */
function keeper(finalizers: readonly string[]) {
  return configMap({ ...arena(0), name: 'keeper', namespace: terminatingNamespace }, {}, { finalizers });
}

/** Takes the finalizers of what cases left behind, or their namespace would never go. */
async function release(path: string): Promise<void> {
  const { body } = await request('GET', path);
  const items = field(body, 'items');
  for (const item of Array.isArray(items) ? items : []) {
    if (field(item, 'metadata', 'finalizers') === undefined) continue;
    const contentType = 'application/merge-patch+json';
    await request('PATCH', `${path}/${String(field(item, 'metadata', 'name'))}`, {
      body: { metadata: { finalizers: null } },
      contentType,
    });
  }
}

async function install(plural: string): Promise<void> {
  const crd = readCrd(plural);
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
  const query = { fieldManager: 'same-test', force: 'true' };
  const { status, body } = await request('PATCH', path, {
    body: crd,
    query,
    contentType: 'application/apply-patch+yaml',
  });
  assert.ok(status < 300, JSON.stringify(body));
  await until(`${plural} to be served`, async () => {
    const conditions = JSON.stringify((await request('GET', path)).body);
    return /"type":"Established","status":"True"|"status":"True"[^}]*"type":"Established"/.test(conditions);
  });
}

async function isGone(ref: ObjectRef): Promise<boolean> {
  return (await cluster.get(ref)) === undefined;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(`waited ${patience / 1000} s for ${what}`);
    await sleep(100);
  }
}
