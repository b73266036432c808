import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { message, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service } from '../../../../test/build/running-service.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const podRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' };

for (const verb of ['create', 'apply', 'status', 'finalizers'] as const) {
  test(`a ${verb} whose answer was lost is not repeated blindly: what became of it is read`, async () => {
    const cluster = await running();
    cluster.remove(childRef('ConfigMap', 'frp-web-config'));
    cluster.put({
      ...service,
      metadata: { ...service.metadata, finalizers: [] },
      spec: { ...service.spec, expose: { remotePort: 7002 } },
    } as KubeObject);
    let lost = false;
    cluster.after = (call) => {
      if (lost || call.verb !== verb) return;
      lost = true;
      throw new KnudgeError('outcome-unknown', 'the answer was lost');
    };
    await reconcileOn(cluster, refOf(service));
    assert.ok(lost);
    cluster.after = undefined;
    assert.equal((await reconcileOn(cluster, refOf(service))).writes, 0);
    assert.ok(await cluster.get(childRef('ConfigMap', 'frp-web-config')));
  });
}

test('a conflict that never ends is given back after three restarts', async () => {
  const cluster = memoryCluster();
  cluster.put(message());
  cluster.before = ({ verb }) => {
    if (verb === 'create') throw new KnudgeError('conflict', 'always');
  };
  await assert.rejects(reconcileOn(cluster, refOf(message())), { code: 'conflict' });
  assert.equal(cluster.calls.filter(({ verb }) => verb === 'create').length, 4);
});

test('a refused write becomes a condition, and the next pass tries again', async () => {
  for (const code of ['quota-exceeded', 'admission-denied', 'invalid-object', 'namespace-terminating'] as const) {
    const cluster = memoryCluster();
    cluster.put(message());
    cluster.before = ({ verb }) => {
      if (verb === 'create') throw new KnudgeError(code, 'no');
    };
    const { result } = await reconcileOn(cluster, refOf(message()));
    assert.equal(result, 'done');
    const { status } = (await cluster.get(refOf(message()))) as unknown as ReturnType<typeof message>;
    assert.equal(status?.phase, 'Failed', code);
    cluster.before = undefined;
    await reconcileOn(cluster, refOf(message()));
    assert.ok(await cluster.get(podRef), code);
  }
});

test('a dry run says what would be written and writes nothing', async () => {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), service]) cluster.put(one);
  const before = cluster.objects();
  const { result, plans, writes } = await reconcileOn(cluster, refOf(service), { dryRun: true });
  assert.equal(result, 'planned');
  assert.equal(writes, 0);
  assert.deepEqual(
    plans?.[0]?.plan.writes.map((write) => write.do),
    ['finalizers', 'create', 'create', 'create', 'status'],
  );
  assert.equal(plans?.[0]?.plan.again, true, 'the tunnel comes when the rest is told');
  assert.deepEqual(cluster.objects(), before);
});

test('a parent that is gone costs its reads and nothing else', async () => {
  const cluster = memoryCluster();
  assert.deepEqual(await reconcileOn(cluster, refOf(message('nobody'))), {
    result: 'gone',
    reads: 2,
    writes: 0,
    notices: 0,
  });
});
