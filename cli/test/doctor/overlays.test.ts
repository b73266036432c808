import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../../test/house/files.ts';
import { ills, installAll, type Opened, openCluster } from './cluster.ts';

for (const overlay of readdirSync('deploy/overlays')) {
  test(`a cluster with the overlay ${overlay}, where all is well`, async (context) => {
    const cluster = await openCluster(context);
    const objects = readManifests({ root, overlay }).objects;
    await installAll(cluster, objects);
    const examined = await cluster.examine({ manifests: objects, overlay });
    assert.deepEqual(ills(examined), []);
    assert.ok(examined.counts.ok > 40, String(examined.counts.ok));
  });
}

const overlay = 'single-namespace';
const one = readManifests({ root, overlay }).objects;

interface Rbac extends KubeObject {
  readonly rules: readonly { readonly resources: readonly string[] }[];
  readonly roleRef: object;
  readonly subjects: readonly object[];
}

/** Of the account message. */
const [role, binding] = ['Role', 'RoleBinding'].map((kind) => {
  const found = one.find((object) => object.kind === kind && object.metadata.name === 'knudge-message');
  assert.ok(found);
  return found as Rbac;
}) as [Rbac, Rbac];

const all =
  'get messages of myorg.dev, patch messages/status of myorg.dev, update messages/finalizers of myorg.dev, get pods, create pods, delete pods, create events of events.k8s.io';
const makes = (object: KubeObject | undefined): string => `echo '${JSON.stringify(object)}' | kubectl apply -f -`;
const binds =
  'kubectl --namespace knudge create rolebinding knudge-message --role=knudge-message --serviceaccount=knudge:message';
const lacks = 'problem rights: ServiceAccount knudge/message may not in namespace knudge';

const plants: readonly {
  readonly name: string;
  readonly plant: (cluster: Opened) => Promise<unknown>;
  readonly finds: string;
  readonly todo: string;
}[] = [
  {
    name: 'a rule is missing',
    plant: ({ put }) => put({ ...role, rules: role.rules.slice(1) } as KubeObject),
    finds: `${lacks}: get messages of myorg.dev, since Role knudge/knudge-message does not grant that`,
    todo: makes(role),
  },
  {
    name: 'a role is missing',
    plant: ({ remove }) => remove(role),
    finds: `${lacks}: ${all}, since there is no Role knudge-message`,
    todo: makes(role),
  },
  {
    name: 'a binding is missing',
    plant: ({ remove }) => remove(binding),
    finds: `${lacks}: ${all}, since RoleBinding knudge/knudge-message is not there`,
    todo: binds,
  },
  {
    name: 'a binding names somebody else',
    plant: ({ put }) =>
      put({
        ...binding,
        subjects: [{ kind: 'ServiceAccount', name: 'message', namespace: 'other' }],
      } as KubeObject),
    finds: `${lacks}: ${all}, since RoleBinding knudge/knudge-message does not name ServiceAccount knudge/message`,
    todo: binds.replace(/create (.*) --role=\S+/, 'set subject $1'),
  },
  {
    name: 'a binding lends another role',
    plant: async ({ put, remove }) => {
      await remove(binding);
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'other' };
      await put({ ...binding, roleRef } as KubeObject);
    },
    finds: `${lacks}: ${all}, since RoleBinding knudge/knudge-message grants Role other`,
    todo: `kubectl --namespace knudge delete rolebinding knudge-message && ${binds}`,
  },
  {
    name: 'rights in another namespace',
    plant: async ({ put }) => {
      await put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
      for (const object of [role, binding])
        await put({ ...object, metadata: { ...object.metadata, namespace: 'shop' } });
    },
    finds: `warning rights: ServiceAccount knudge/message may more than deploy/ grants in namespace shop: ${all}, by RoleBinding shop/knudge-message`,
    todo: 'if it is not needed: kubectl --namespace shop delete rolebinding knudge-message',
  },
  {
    name: 'the source may not read Pods',
    plant: ({ put }) => {
      const found = one.find(
        ({ kind, metadata }) => kind === 'Role' && metadata.name === 'knudge-cluster-objects',
      ) as Rbac;
      return put({ ...found, rules: found.rules.filter(({ resources }) => !resources.includes('pods')) } as KubeObject);
    },
    finds:
      'problem sources: ServiceAccount knudge/cluster-objects may not get pods, list pods, watch pods, get services, list services, watch services, get configmaps, list configmaps, watch configmaps',
    todo: makes(one.find(({ kind, metadata }) => kind === 'Role' && metadata.name === 'knudge-cluster-objects')),
  },
];
for (const { name, plant, finds, todo } of plants) {
  test(`with the overlay single-namespace it is found, and nothing else: ${name}`, async (context) => {
    const cluster = await openCluster(context);
    await installAll(cluster, one);
    await plant(cluster);
    const examined = await cluster.examine({ manifests: one, overlay });
    assert.deepEqual(ills(examined), [finds]);
    assert.equal(examined.findings.find(({ level }) => level !== 'ok')?.todo, todo);
  });
}

test('with the usual manifests the same cluster has too few rights', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster, one);
  const found = ills(await cluster.examine());
  assert.ok(
    found.some((line) =>
      line.startsWith('problem rights: ServiceAccount knudge/distributed-service may not in all namespaces: '),
    ),
    found.join('\n'),
  );
});
