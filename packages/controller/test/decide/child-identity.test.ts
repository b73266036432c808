import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Greeting } from '../../../../test/build/greeting.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { given, object } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { defineResource } from '../../decide/define.ts';
import type { Child } from '../../decide/defined/definition.ts';
import { yes } from '../../decide/defined/ready.ts';
import { withNet } from '../../decide/net.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const ref = { apiVersion: 'example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'ada' };
const hello = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'ada-hello' };

interface Seen extends KubeObject {
  readonly data?: { readonly text?: string };
  readonly status?: { readonly phase?: string };
}

function greet(cluster: MemoryCluster): void {
  cluster.put(object('example.org/v1 Greeting', 'ada', { spec: { person: 'Ada' } }));
}

/** What JavaScript may give, which no type keeps from saying by which name, and in which namespace, a child should be. */
const untyped = JSON.parse(
  '{ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "mine", "namespace": "bank" }, "data": { "text": "Hello" } }',
) as Child;

const elsewhere = defineResource<Greeting>()({
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: ({ name }) => ({ hello: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-hello` } }),
  desired: () => ({ hello: untyped }),
  ready: () => yes('Greeted', 'There it is'),
});

test('a child is written as the object by which it was read, and in the namespace of its owner alone', async () => {
  const cluster = memoryCluster();
  greet(cluster);
  const made = () => reconcileOn(cluster, ref, { resources: [withNet(elsewhere)] });
  for (const _ of [1, 2]) await made();
  assert.equal((await made()).writes, 0);
  assert.equal(((await cluster.get(hello)) as Seen).data?.text, 'Hello');
  assert.deepEqual(
    cluster.objects().map(({ kind }) => kind),
    ['ConfigMap', 'Greeting'],
  );
});

test('a cluster-scoped child of a cluster-scoped owner is what it should be, once it is made', async () => {
  const tenants = defineResource<KubeObject>()({
    apiVersion: 'example.org/v1',
    kind: 'Tenant',
    children: ({ name }) => ({ home: { apiVersion: 'v1', kind: 'Namespace', name: `tenant-${name}` } }),
    desired: () => ({ home: {} }),
    ready: () => yes('There', 'There it is'),
  });
  const owner = { apiVersion: 'example.org/v1', kind: 'Tenant', metadata: { name: 'acme', uid: 'u', generation: 1 } };
  const decide = (home?: KubeObject) =>
    tenants.decide({ owner, children: new Map([['home', home]]), inputs: new Map() }, given());
  const [made] = decide().writes;
  assert.ok(made?.do === 'create');
  const stored = JSON.parse(JSON.stringify(made.object)) as KubeObject;
  assert.ok(!('namespace' in stored.metadata));
  assert.deepEqual(
    decide(stored).writes.map((write) => write.do),
    ['status'],
  );
});

test('a child that is made has its fields in the order in which people read them', () => {
  const owner = object('example.org/v1 Greeting', 'ada', { spec: { person: 'Ada' }, metadata: { uid: 'u' } });
  const children = new Map([['loud', undefined]]);
  const [made] = defineResource<Greeting>()(shouting).decide({ owner, children, inputs: new Map() }, given()).writes;
  assert.ok(made?.do === 'create');
  assert.deepEqual(Object.keys(made.object), ['apiVersion', 'kind', 'metadata', 'data']);
  assert.deepEqual(Object.keys(made.object.metadata).slice(0, 3), ['name', 'namespace', 'labels']);
});

test('a desired child that `children` does not name is an error of the definition, and nothing is written', async () => {
  const cluster = memoryCluster();
  greet(cluster);
  const { children: _, ...rest } = shouting;
  const none = defineResource<Greeting>()<string>({ ...rest, children: () => ({}) });
  await assert.rejects(
    reconcileOn(cluster, ref, { resources: [none] }),
    /^KnudgeError: Greeting: `desired` has the child "loud", which `children` does not name$/,
  );
  assert.equal(cluster.objects().length, 1);
});

const shouting = {
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: ({ name }: { readonly name: string }) => ({
    loud: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-loud` },
    list: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-list` },
  }),
  desired: ({ names }: { readonly names: Readonly<Record<string, string>> }) => ({
    loud: { metadata: { labels: { loud: 'very' } }, data: { text: 'HELLO' } },
    list: { data: { loud: names['loud'] } },
  }),
  ready: () => yes('Greeted', 'There it is'),
  status: (_: unknown, { names }: { readonly names: Readonly<Record<string, string>> }) => ({ phase: names['loud'] }),
};

test('a child and the status can name another child, however long the name of the owner is', async () => {
  const cluster = memoryCluster();
  const name = 'a'.repeat(253);
  const resource = withNet(defineResource<Greeting>()(shouting));
  cluster.put(object('example.org/v1 Greeting', name, { spec: { person: 'Ada' } }));
  for (const _ of [1, 2]) await reconcileOn(cluster, { ...ref, name }, { resources: [resource] });
  const [loud, list] = resource.children({ ...ref, name }).values();
  const read = async (of: typeof loud) => (of === undefined ? undefined : await cluster.get(of)) as Seen | undefined;
  assert.equal((await read(loud))?.metadata.labels?.['loud'], 'very');
  assert.deepEqual((await read(list))?.data, { loud: loud?.name });
  assert.equal((await read({ ...ref, name }))?.status?.phase, loud?.name);
});
