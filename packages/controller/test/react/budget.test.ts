import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { message, object } from '../../../../test/build/objects.ts';
import { type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { Handler } from '../../domain/ports.ts';
import { itselfChanged } from '../../functions/itself-changed.ts';
import { reconcileAll } from '../../functions/reconcile-all.ts';
import { processOn, reactOn } from './react-on.ts';

const kind = 'myorg.dev/Message';
const whole = { dryRun: false };
const changeOf = (ref: ObjectRef) => ({ id: '1', verb: 'updated', ref }) as const;

/** As many Messages, and a cluster that has them. */
function manyMessages(count: number) {
  const cluster = memoryCluster();
  const messages = Array.from({ length: count }, (_, at) => message(`m${at}`));
  for (const one of messages) cluster.put(one);
  return { cluster, refs: messages.map(refOf) };
}

/** Each call takes this many milliseconds. */
function slow(cluster: ReturnType<typeof memoryCluster>, ms: number): () => number {
  let now = 0;
  cluster.before = async () => {
    now += ms;
  };
  return () => now;
}

describe('an event', () => {
  it('that leads to more reads than any does is answered throttled, and costs nothing when it comes again at once', async () => {
    const cluster = memoryCluster();
    const curious: Handler = async ({ ref }, { reader }) => {
      for (let at = 0; at < 10_000; at += 1) await reader.get({ ...ref, name: `${ref.name}-${at}` });
      return [];
    };
    const { handle } = reactOn(cluster, { handle: curious, kind });
    const change = changeOf(refOf(message()));
    await assert.rejects(handle(change, whole), { code: 'throttled', retryAfterSeconds: 60, message: /140 reads/ });
    assert.equal(cluster.calls.length, 140);
    await assert.rejects(handle(change, whole), { code: 'throttled', retryAfterSeconds: 60 });
    assert.equal(cluster.calls.length, 140);
  });

  it('that was answered throttled is so by every function of its process, at no cost', async () => {
    const cluster = memoryCluster();
    const curious: Handler = async ({ ref }, { reader }) => {
      for (let at = 0; at < 10_000; at += 1) await reader.get({ ...ref, name: `${ref.name}-${at}` });
      return [];
    };
    const { handleOf } = processOn(cluster);
    const change = changeOf(refOf(message()));
    await assert.rejects(handleOf({ handle: curious, kind })(change, whole), { code: 'throttled' });
    const spent = cluster.calls.length;
    const other = handleOf({ handle: itselfChanged, kind });
    await assert.rejects(other(change, whole), { code: 'throttled', retryAfterSeconds: 60 });
    assert.equal(cluster.calls.length, spent);
    // Another process knows nothing of it.
    await reactOn(cluster, { handle: itselfChanged, kind }).handle(change, whole);
    assert.ok(cluster.calls.length > spent);
  });

  it('begins no parent when three deadlines are over: the answer is long given', async () => {
    const { cluster, refs } = manyMessages(1000);
    const all: Handler = (_, context) => reconcileAll(refs, context);
    const { handle } = reactOn(cluster, { handle: all, kind }, { elapsed: slow(cluster, 100) });
    await assert.rejects(handle(changeOf(refOf(object('ConfigMap', 'profile'))), whole), { code: 'unavailable' });
    const made = cluster.objects().filter(({ kind: one }) => one === 'Pod').length;
    assert.ok(made > 30 && made < 100, `${made} of 1000 parents were made right in 27 s`);
    assert.ok(cluster.calls.length <= 270 + 8 * 4, `${cluster.calls.length} calls of 100 ms each`);
  });
});

describe('a reconcile', () => {
  it('asks nothing when three deadlines are over, and the next try goes on', async () => {
    const { cluster, refs } = manyMessages(1);
    const { handle } = reactOn(cluster, { handle: itselfChanged, kind }, { elapsed: slow(cluster, 10_000) });
    const change = changeOf(refs[0] ?? assert.fail());
    const told = { code: 'unavailable', message: /Message shop\/m0 right took more than 27 s/ };
    await assert.rejects(handle(change, whole), told);
    assert.deepEqual(
      cluster.calls.map(({ verb }) => verb),
      ['get', 'get', 'create'],
    );
    cluster.before = async () => undefined;
    await handle(change, whole);
    assert.ok(cluster.calls.some(({ verb }) => verb === 'status'));
  });
});
