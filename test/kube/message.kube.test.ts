import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { message as build } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { until } from './until.ts';

let arena: Arena;
let namespace: string;
const message = (name: string, text: string): KubeObject => build(name, text, { namespace });
const podOf = (name: string) => arena.get('v1', 'Pod', { namespace, name: `msg-${name}` });
const textOf = (pod: KubeObject | undefined) =>
  (pod as { spec?: { containers: { env: { value: string }[] }[] } } | undefined)?.spec?.containers[0]?.env[0]?.value;

before(async () => {
  arena = await openArena();
  namespace = await arena.namespace('messages');
});
after(async () => {
  await arena.close();
  assert.deepEqual(arena.source?.failures, []);
});

test('a Message gets its Pod and becomes Processed; further events write nothing', async () => {
  await arena.put(message('one', 'hello $(HOME) 🙂'));
  await arena.processed(namespace, 'one');
  const pod = await podOf('one');
  assert.equal(textOf(pod), 'hello $$(HOME) 🙂');
  assert.equal(pod?.metadata.ownerReferences?.[0]?.kind, 'Message');
  await arena.settled(message('one', ''));
});

test('a Message without a text says the default one', async () => {
  await arena.put({ apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { namespace, name: 'bare' } });
  await arena.processed(namespace, 'bare');
  assert.equal(textOf(await podOf('bare')), 'Hello from Knudge!');
});

test('another text replaces the Pod', async () => {
  await arena.put(message('two', 'first'));
  await arena.processed(namespace, 'two');
  const uid = (await podOf('two'))?.metadata.uid;
  await arena.put(message('two', 'second'));
  await until('the new Pod says the new text', async () => textOf(await podOf('two')) === 'second');
  await arena.processed(namespace, 'two');
  assert.notEqual((await podOf('two'))?.metadata.uid, uid);
});

test('a deleted Pod comes back', async () => {
  await arena.put(message('three', 'x'));
  await arena.processed(namespace, 'three');
  const pod = await podOf('three');
  assert.ok(pod);
  await arena.remove(pod);
  await until('another Pod runs', async () => {
    const now = await podOf('three');
    return now !== undefined && now.metadata.uid !== pod.metadata.uid;
  });
  await arena.processed(namespace, 'three');
});

test('a Pod that somebody gave another image is replaced', async () => {
  await arena.put(message('drift', 'x'));
  await arena.processed(namespace, 'drift');
  const pod = await podOf('drift');
  assert.ok(pod);
  const spec = { containers: [{ name: 'message', image: 'mine' }] };
  await arena.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'msg-drift', namespace }, spec } as KubeObject);
  await until('another Pod runs the right image', async () => {
    const now = await podOf('drift');
    return (
      now !== undefined && now.metadata.uid !== pod.metadata.uid && !JSON.stringify(now).includes('"image":"mine"')
    );
  });
  await arena.processed(namespace, 'drift');
});

test('a deleted Message takes its Pod with it, whatever the propagation', async () => {
  for (const policy of ['Background', 'Foreground']) {
    await arena.put(message('four', policy));
    await arena.processed(namespace, 'four');
    await arena.remove(message('four', ''), policy);
    await until(
      'Message and Pod are gone',
      async () => (await arena.message(namespace, 'four')) === undefined && (await podOf('four')) === undefined,
      // The garbage collector looks for kinds that are new to it every 30 s: on a new cluster Message is one.
      75,
    );
  }
});

test('an orphaned Pod is left alone, and told as a conflict to a new Message of the same name', async () => {
  await arena.put(message('five', 'orphan'));
  await arena.processed(namespace, 'five');
  // The garbage collector orphans only what it knows of already: it hears of a new Pod a moment later.
  await sleep(1000);
  await arena.remove(message('five', ''), 'Orphan');
  await until('the Message is gone', async () => (await arena.message(namespace, 'five')) === undefined);
  const orphan = await podOf('five');
  assert.ok(orphan);
  await arena.put(message('five', 'new'));
  await until(
    'the Message has failed',
    async () => (await arena.message(namespace, 'five'))?.status?.phase === 'Failed',
  );
  assert.equal((await podOf('five'))?.metadata.uid, orphan.metadata.uid);
  assert.equal((await arena.message(namespace, 'five'))?.status?.conditions?.[0]?.reason, 'NameConflict');
  await arena.remove(orphan);
  await until('the orphan is gone and events of the Message make its Pod', async () => {
    await arena.settled(message('five', '')).catch(() => undefined);
    return textOf(await podOf('five')) === 'new';
  });
});

test('a quota becomes a condition, and the Message recovers when it is lifted', async () => {
  const tight = await arena.namespace('messages-quota');
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace: tight, name: 'none' },
    spec: { hard: { pods: '0' } },
  };
  await arena.put(quota);
  await until('the quota is in force', async () => {
    const found = await arena.get('v1', 'ResourceQuota', { namespace: tight, name: 'none' });
    return (found as { status?: { hard?: unknown } } | undefined)?.status?.hard !== undefined;
  });
  const blocked = build('blocked', 'x', { namespace: tight });
  await arena.put(blocked);
  await until(
    'the Message has failed',
    async () => (await arena.message(tight, 'blocked'))?.status?.phase === 'Failed',
  );
  assert.equal((await arena.message(tight, 'blocked'))?.status?.conditions?.[0]?.reason, 'QuotaExceeded');
  await arena.remove(quota);
  await until('the Message is processed by an event that the resync would send', async () => {
    await arena.settled(blocked);
    return (await arena.message(tight, 'blocked'))?.status?.phase === 'Processed';
  });
});

test('a namespace that is deleted goes, with its Messages', async () => {
  const doomed = await arena.namespace('messages-doomed');
  await arena.put(build('last', 'words', { namespace: doomed }));
  await arena.processed(doomed, 'last');
  await arena.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: doomed } });
  await until(
    'the namespace is gone',
    async () => (await arena.get('v1', 'Namespace', { name: doomed })) === undefined,
    60,
  );
});
