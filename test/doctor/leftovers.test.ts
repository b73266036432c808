import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { readManifests } from '../../src/local/manifests/read-manifests.ts';
import { root } from '../house/files.ts';
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
  assert.ok(ofCluster.length > 20);
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
