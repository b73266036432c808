import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { olderAccount } from '../../../test/build/accounts.ts';
import { root } from '../../../test/house/files.ts';
import { formerAccounts } from '../../doctor/checks/former.ts';
import { carryOut } from './carry-out.ts';
import { ills, installAll, manifests, type Opened, openCluster } from './cluster.ts';

const overlay = 'single-namespace';
const one = readManifests({ root, overlay }).objects;
const ofCluster = manifests.filter(({ kind }) => /^ClusterRole/.test(kind));
const look = (cluster: Opened) => cluster.examine({ manifests: one, overlay });
const told = ({ kind, metadata }: KubeObject): string =>
  `warning rights: ${kind} ${metadata.name} is left over from deploy/`;

/** Where deploy was before. */
async function move(cluster: Opened): Promise<void> {
  await installAll(cluster, manifests);
  await installAll(cluster, one);
}

test('coming from deploy to one namespace, each role and binding that is left is named, with what takes it away', async (context) => {
  const cluster = await openCluster(context);
  await move(cluster);
  const examined = await look(cluster);
  assert.ok(ofCluster.length > 15);
  assert.deepEqual([...ills(examined)].sort(), ofCluster.map(told).sort());
  for (const { todo } of examined.findings) if (todo !== undefined) await carryOut(todo, cluster);
  assert.deepEqual(ills(await look(cluster)), []);
});

test('whoever has deleted the bindings is told of the roles', async (context) => {
  const cluster = await openCluster(context);
  await move(cluster);
  for (const object of ofCluster) if (object.kind === 'ClusterRoleBinding') await cluster.remove(object);
  const roles = ofCluster.filter(({ kind }) => kind === 'ClusterRole');
  assert.deepEqual([...ills(await look(cluster))].sort(), roles.map(told).sort());
});

test('what deploy in another namespace has is its own', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster, one);
  for (const object of ofCluster) {
    const elsewhere = { subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'default' }] };
    await cluster.put({ ...object, ...(object.kind === 'ClusterRoleBinding' && elsewhere) } as KubeObject);
  }
  assert.deepEqual(ills(await look(cluster)), []);
});

test('why a binding matters is what it lends', async (context) => {
  const cluster = await openCluster(context);
  await move(cluster);
  const { findings } = await look(cluster);
  const found = findings.find(({ what }) => /^ClusterRoleBinding knudge-secret-references /.test(what));
  assert.equal(
    found?.why,
    'by it ServiceAccount knudge/secret-references may in all namespaces: get secrets, list secrets, watch secrets',
  );
  assert.equal(found?.todo, 'kubectl delete clusterrolebinding knudge-secret-references');
});

const installations = [
  { name: 'deploy', installed: manifests, more: {} },
  { name: overlay, installed: one, more: { manifests: one, overlay } },
] as const;
const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;

for (const { name, installed, more } of installations) {
  test(`of a version with an account for each function an upgrade of ${name} leaves what is named, with what takes it away`, async (context) => {
    const cluster = await openCluster(context);
    const older = formerAccounts.flatMap((account) => olderAccount(account, installed));
    assert.equal(older.length, 3 * formerAccounts.length);
    await installAll(cluster, [...installed, ...older]);
    const examined = await cluster.examine(more);
    const wanted = older.map((object) => `warning rights: ${nameOf(object)} is left over from an older version`);
    assert.deepEqual([...ills(examined)].sort(), wanted.sort());
    for (const { todo } of examined.findings) if (todo !== undefined) await carryOut(todo, cluster);
    assert.deepEqual(ills(await cluster.examine(more)), []);
  });
}

const service = manifests.find(
  ({ apiVersion, metadata }) => apiVersion.startsWith('serving.') && metadata.name === 'message-changed',
) as KubeObject;
const asWhom = (object: KubeObject, account: string): KubeObject =>
  JSON.parse(JSON.stringify(object).replace(/"serviceAccountName":"[^"]+"/, `"serviceAccountName":"${account}"`));
const withOlder = [...manifests, ...olderAccount('message-changed', manifests)];

test('nothing is left over while a function runs as it, nor while its new revision is not ready', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster, withOlder);
  await cluster.put(asWhom(service, 'message-changed'));
  assert.deepEqual(ills(await cluster.examine()), []);
  await cluster.put(service);
  assert.equal(ills(await cluster.examine()).length, 3);
  await cluster.tell(service, { conditions: [{ type: 'Ready', status: 'Unknown' }] });
  assert.deepEqual(ills(await cluster.examine()), ['problem functions: Service knudge/message-changed is not ready']);
});

test('what runs cannot be read: it is not known what is left over', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster, withOlder);
  for (const kind of ['Service', 'ServiceAccount']) {
    const list: Opened['look']['list'] = (what, at) =>
      what.kind === kind ? Promise.reject(new Error('forbidden')) : cluster.look.list(what, at);
    const found = ills(await cluster.examine({ look: { ...cluster.look, list } }));
    assert.equal(found.at(-1), 'unchecked rights: not checked: what an older version has left (forbidden)');
    assert.ok(!found.some((line) => /left over/.test(line)), found.join('\n'));
  }
});
