import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Greeting, greeting } from '../../../../test/build/greeting.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { object } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { defineResource } from '../../decide/define.ts';
import { yes } from '../../decide/defined/ready.ts';
import { withNet } from '../../decide/net.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const resources = [withNet(greeting)];
const ref = { apiVersion: 'example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'ada' };
const hello = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'ada-hello' };
const farewell = { ...hello, name: 'ada-farewell' };

function greet(cluster: MemoryCluster, spec: Greeting['spec']): void {
  cluster.put(object('example.org/v1 Greeting', 'ada', { spec }));
}

const run = (cluster: MemoryCluster) => reconcileOn(cluster, ref, { resources });

interface Seen extends KubeObject {
  readonly data?: { readonly text?: string };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { type: string; reason: string }[] };
}

async function greeted(spec: Greeting['spec'] = { person: 'Ada', farewell: true }): Promise<MemoryCluster> {
  const cluster = memoryCluster();
  greet(cluster, spec);
  await run(cluster);
  await run(cluster);
  return cluster;
}

const textOf = async (cluster: MemoryCluster, of: typeof hello) =>
  ((await cluster.get(of)) as Seen | undefined)?.data?.text;
const statusOf = async (cluster: MemoryCluster) => ((await cluster.get(ref)) as Seen).status;
const reasonOf = async (cluster: MemoryCluster) =>
  (await statusOf(cluster))?.conditions?.find(({ type }) => type === 'Ready')?.reason;

test('what is desired is made with its owner, and then nothing is written', async () => {
  const cluster = await greeted();
  assert.equal(await textOf(cluster, hello), 'Hello, Ada');
  assert.equal(await textOf(cluster, farewell), 'Farewell, Ada');
  assert.equal((await cluster.get(hello))?.metadata.ownerReferences?.[0]?.name, 'ada');
  assert.equal((await statusOf(cluster))?.phase, 'ready');
  assert.equal((await run(cluster)).writes, 0);
});

test('a child of an owner with the longest name has a name that each kind takes, and is found again by it', async () => {
  const cluster = memoryCluster();
  const names = ['a'.repeat(253), `${'a'.repeat(252)}b`];
  for (const name of names) {
    cluster.put(object('example.org/v1 Greeting', name, { spec: { person: name.slice(-1), farewell: true } }));
    for (const _ of [1, 2]) await reconcileOn(cluster, { ...ref, name }, { resources });
    assert.equal((await reconcileOn(cluster, { ...ref, name }, { resources })).writes, 0);
  }
  const made = cluster.objects().filter(({ kind }) => kind === 'ConfigMap');
  assert.equal(made.length, 4, 'two for each owner');
  for (const { metadata } of made) assert.match(metadata.name, /^a{40,}[a-z0-9-]*$/);
  assert.deepEqual([...new Set(made.map(({ metadata }) => metadata.name.length))], [63]);
  // One that is no longer desired is found by the shortened name too.
  const [name = ''] = names;
  cluster.put(object('example.org/v1 Greeting', name, { spec: { person: 'a' } }));
  await reconcileOn(cluster, { ...ref, name }, { resources });
  assert.equal(cluster.objects().filter(({ kind }) => kind === 'ConfigMap').length, 3);
});

test('what is no longer desired goes, and what somebody changed is mended', async () => {
  const cluster = await greeted();
  greet(cluster, { person: 'Bob' });
  await run(cluster);
  assert.equal(await textOf(cluster, hello), 'Hello, Bob');
  assert.equal(await cluster.get(farewell), undefined);
  const live = (await cluster.get(hello)) as Seen;
  cluster.put({ ...live, data: { text: 'Nonsense' } } as KubeObject);
  await run(cluster);
  assert.equal(await textOf(cluster, hello), 'Hello, Bob');
});

test('an object of that name that is somebody else’s is reported, and never touched', async () => {
  const cluster = memoryCluster();
  const mine = object('ConfigMap', 'ada-hello', { data: { text: 'mine' } });
  cluster.put(mine);
  greet(cluster, { person: 'Ada' });
  await run(cluster);
  assert.equal(await textOf(cluster, hello), 'mine');
  assert.equal(await reasonOf(cluster), 'NameConflict');
});

test('a write that is refused for good becomes a condition', async () => {
  const cluster = memoryCluster();
  greet(cluster, { person: 'Ada' });
  cluster.before = ({ verb, ref: of }) => {
    if (verb === 'create' && of.kind === 'ConfigMap') throw new KnudgeError('admission-denied', 'no greetings here');
  };
  await run(cluster);
  assert.equal(await reasonOf(cluster), 'AdmissionDenied');
});

test('once its owner is being deleted nothing is made again', async () => {
  const cluster = await greeted();
  cluster.put({
    ...((await cluster.get(ref)) as KubeObject),
    metadata: { name: 'ada', namespace: 'shop', finalizers: ['a/b'] },
  });
  cluster.remove(ref);
  cluster.remove(hello);
  assert.equal((await run(cluster)).writes, 0);
});

test('a definition with two children that may never be changed is refused', () => {
  const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', name, never: 'changed' }) as const;
  assert.throws(
    () =>
      defineResource()({
        apiVersion: 'a/v1',
        kind: 'Twins',
        children: () => ({ one: pod('one'), two: pod('two') }),
        desired: () => ({ one: undefined, two: undefined }),
        ready: () => yes('Ready', 'They are there'),
      }),
    /^KnudgeError: Twins: at most one child may never be changed, not one and two/,
  );
});
