import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { message } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service } from '../../../../test/build/running-service.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const hello = message('hello', 'one');
const pod = { apiVersion: 'v1', kind: 'Pod', namespace: hello.metadata.namespace ?? '', name: 'msg-hello' };

/** A Message whose Pod has just become ready. */
async function ready(): Promise<MemoryCluster> {
  const cluster = memoryCluster();
  cluster.put(hello);
  await reconcileOn(cluster, refOf(hello));
  const made = (await cluster.get(pod)) as KubeObject;
  cluster.put({ ...made, status: { conditions: [{ type: 'Ready', status: 'True' }] } } as KubeObject);
  return cluster;
}

/** A running Message whose text has changed. */
async function otherText(): Promise<MemoryCluster> {
  const cluster = await ready();
  await reconcileOn(cluster, refOf(hello));
  cluster.put({ ...((await cluster.get(refOf(hello))) as typeof hello), spec: { text: 'another' } } as KubeObject);
  return cluster;
}

/** A running service, one of whose Services somebody has changed. */
async function drifted(): Promise<MemoryCluster> {
  const cluster = await running();
  const balanced = (await cluster.get(childRef('Service', 'frp-web-balanced'))) as KubeObject;
  cluster.put({ ...balanced, metadata: { ...balanced.metadata, labels: {} } });
  return cluster;
}

const overtaken = new KnudgeError('conflict', 'the object has been modified');
const done = [
  { reason: 'PodReplaced', verb: 'delete', cluster: otherText, ref: refOf(hello) },
  { reason: 'Repaired', verb: 'apply', cluster: drifted, ref: refOf(service) },
] as const;

for (const { reason, verb, cluster: make, ref } of done) {
  const about = ({ calls }: MemoryCluster) => calls.filter(({ notice }) => notice?.reason === reason).length;
  /** With this error at the first such write after the change. */
  const changed = async (failing: string): Promise<MemoryCluster> => {
    const cluster = await make();
    const from = cluster.calls.length;
    let isOver = false;
    cluster.before = (call) => {
      if (isOver || call.verb !== failing || cluster.calls.length < from) return;
      isOver = true;
      throw overtaken;
    };
    await reconcileOn(cluster, ref);
    assert.ok(isOver);
    return cluster;
  };

  test(`${reason}: what was done is reported once, also where the status is overtaken`, async () => {
    assert.equal(about(await changed('status')), 1);
  });

  test(`${reason}: what is overtaken itself is reported when it is done`, async () => {
    const cluster = await changed(verb);
    assert.equal(about(cluster), 1);
    const order = cluster.calls.map((call) => call.notice?.reason ?? call.verb);
    assert.ok(order.lastIndexOf(verb) < order.indexOf(reason));
  });
}

test('what the status says is reported only where it says it', async () => {
  const cluster = await ready();
  cluster.before = ({ verb }) => {
    if (verb === 'status') throw overtaken;
  };
  await assert.rejects(reconcileOn(cluster, refOf(hello)), { code: 'conflict' });
  assert.deepEqual(
    cluster.calls.filter(({ notice }) => notice !== undefined),
    [],
  );
  cluster.before = undefined;
  await reconcileOn(cluster, refOf(hello));
  assert.deepEqual(
    cluster.calls.flatMap(({ notice }) => notice?.reason ?? []),
    ['Processed'],
  );
});
