import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Greeting } from '../../../../test/build/greeting.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, message, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { defineResource } from '../../decide/define.ts';
import { yes } from '../../decide/defined/ready.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

interface Told extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly message: string }[] };
}

const service = distributedService('web');
const hello = message('hello', 'one');
const pod = { apiVersion: 'v1', kind: 'Pod', namespace: hello.metadata.namespace ?? '', name: 'msg-hello' };
/** Cut at an odd place, which each of these texts has once, it ends with half of a character. */
const faces = (before: string): string => before + '😀'.repeat(600);

/** It cuts what it is given, in its child and in its status. */
const cutting = defineResource<Greeting>()({
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: ({ name }) => ({ card: { apiVersion: 'v1', kind: 'ConfigMap', name } }),
  desired: ({ owner }) => ({ card: { data: { short: owner.spec.person.slice(0, 2) } } }),
  ready: () => yes('Written', 'It is written'),
  status: (_, { owner }) => ({ phase: owner.spec.person.slice(0, 2) }),
});

it('a child and a status that a resource has cut amid a character are written once', async () => {
  const cluster = memoryCluster();
  const ref = { apiVersion: 'example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'card' };
  const { apiVersion, kind, ...metadata } = ref;
  const owner = { apiVersion, kind, metadata, spec: { person: 'a😀' } };
  cluster.put(owner);
  for (const _ of [1, 2]) await reconcileOn(cluster, ref, { resources: [cutting], tries: true });
  const { writes } = await reconcileOn(cluster, ref, { resources: [cutting], tries: true });
  const written = ['Greeting', 'ConfigMap'].map((of) => cluster.objects().find((object) => object.kind === of));
  assert.deepEqual(written.map(wordsOf), ['a\ufffd', 'a\ufffd']);
  assert.equal(writes, 0);
});

function wordsOf(object: object | undefined): unknown {
  const { status, data } = { ...object } as { status?: { phase?: unknown }; data?: { short?: unknown } };
  return status?.phase ?? data?.short;
}

describe('a text of somebody else that is cut amid a character is written with U+FFFD for what is left of that', () => {
  it('a value of a server profile', async () => {
    const cluster = memoryCluster();
    for (const one of [serverProfile('default', { address: faces('a') }), service]) cluster.put(one);
    await assertTold(cluster, service);
  });

  for (const before of ['', 'a'])
    it(`what the kubelet says of a Pod, from character ${String(before.length)} on`, async () => {
      const cluster = memoryCluster();
      cluster.put(hello);
      await reconcileOn(cluster, refOf(hello));
      const made = (await cluster.get(pod)) as KubeObject;
      const waiting = { reason: 'ImagePullBackOff', message: faces(before) };
      const status = { phase: 'Pending', containerStatuses: [{ name: 'hello', state: { waiting } }] };
      cluster.put({ ...made, status } as KubeObject);
      await assertTold(cluster, hello);
    });

  it('the words of the API server, with a half of their own', async () => {
    const cluster = memoryCluster();
    cluster.put(hello);
    cluster.before = ({ verb }) => {
      if (verb === 'create') throw new KnudgeError('admission-denied', `no \ud83d ${faces('')}`.slice(0, 400));
    };
    await assertTold(cluster, hello);
  });
});

async function assertTold(cluster: ReturnType<typeof memoryCluster>, owner: KubeObject): Promise<void> {
  await reconcileOn(cluster, refOf(owner));
  await reconcileOn(cluster, refOf(owner), { tries: true });
  const { status } = (await cluster.get(refOf(owner))) as Told;
  const told = (status?.conditions ?? []).map(({ message: said }) => said).filter((said) => said.includes('😀'));
  assert.ok(told.length > 0 && told.every((said) => said.isWellFormed()), JSON.stringify(status));
  const calls = cluster.calls.length;
  await reconcileOn(cluster, refOf(owner), { tries: true });
  assert.ok(!cluster.calls.slice(calls).some(({ verb }) => verb === 'status'), 'the same is not written again');
}
