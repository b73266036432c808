import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { type KubeObject, refOf } from '../../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../../packages/controller/domain/names.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import type { DistributedService } from '../../types.ts';

type Scaled = KubeObject & { readonly spec: { readonly replicas: number } };

const appRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'app' } as const;

function naming(name: string, replicas: number, { workload = 'app', born = '2026-01-01T00:00:00Z' } = {}) {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: workload } as const;
  const backends = { discovery: 'auto', port: 8080, replicas, workloadRef } as const;
  return distributedService(name, { backends }, { creationTimestamp: born });
}

function cluster(...objects: readonly KubeObject[]): MemoryCluster {
  const made = memoryCluster();
  for (const one of [serverProfile(), object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } }), ...objects])
    made.put(one);
  return made;
}

const replicasOf = async (at: MemoryCluster): Promise<number | undefined> =>
  ((await at.get(appRef)) as Scaled | undefined)?.spec.replicas;
const scalesAt = (at: MemoryCluster): number => at.calls.filter(({ verb }) => verb === 'scale').length;
const statusOf = async (at: MemoryCluster, service: KubeObject): Promise<DistributedService['status']> =>
  ((await at.get(refOf(service))) as DistributedService).status;
const conditionOf = async (at: MemoryCluster, service: KubeObject, type: string) =>
  (await statusOf(at, service))?.conditions?.find((one) => one.type === type);

test('two services with one workload: the older scales it, the other says so, and neither writes on', async () => {
  const older = naming('older', 2);
  const younger = naming('younger', 4, { born: '2026-01-02T00:00:00Z' });
  const shared = cluster(older, younger);
  for (let round = 0; round < 6; round += 1) for (const one of [younger, older]) await reconcileOn(shared, refOf(one));
  assert.equal(await replicasOf(shared), 2);
  assert.ok(scalesAt(shared) <= 2, `${scalesAt(shared)} times`);
  const { status, reason, message } = (await conditionOf(shared, younger, 'ConfigurationValid')) ?? {};
  assert.deepEqual({ status, reason }, { status: 'False', reason: 'WorkloadConflict' });
  assert.match(message ?? '', /Deployment app is scaled by DistributedService older, which is older/);
  assert.equal((await statusOf(shared, younger))?.state, 'Failed');
  assert.equal((await conditionOf(shared, older, 'ConfigurationValid'))?.status, 'True');
  const before = shared.calls.length;
  for (const one of [younger, older]) assert.equal((await reconcileOn(shared, refOf(one))).writes, 0);
  assert.ok(shared.calls.length > before);
});

test('the younger scales the workload once the older is gone, or names another', async () => {
  for (const give of ['deleted', 'changed'] as const) {
    const older = naming('older', 2);
    const younger = naming('younger', 4, { born: '2026-01-02T00:00:00Z' });
    const shared = cluster(older, younger);
    for (const one of [older, younger]) await reconcileOn(shared, refOf(one));
    if (give === 'changed') shared.put(naming('older', 2, { workload: 'other' }));
    else shared.remove(refOf(older));
    await reconcileOn(shared, refOf(younger));
    assert.equal(await replicasOf(shared), 4, give);
  }
});

test('a workload of our own is refused', async () => {
  const service = naming('web', 2, { workload: 'frp-web' });
  const alone = cluster(service);
  for (let round = 0; round < 5; round += 1) await reconcileOn(alone, refOf(service));
  assert.equal(scalesAt(alone), 0);
  const { reason, message } = (await conditionOf(alone, service, 'ConfigurationValid')) ?? {};
  assert.equal(reason, 'WorkloadConflict');
  assert.match(message ?? '', /Deployment frp-web is run by Knudge itself/);
  assert.equal((await reconcileOn(alone, refOf(service))).writes, 0);
});

test('the ReplicaSet of a tunnel is a workload of our own too', async () => {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'frp-web-1' } as const;
  const service = distributedService('web', { backends: { discovery: 'auto', port: 8080, replicas: 2, workloadRef } });
  const metadata = { labels: { [labels.ownerUid]: 'somebody' } };
  const alone = cluster(service, object('apps/v1 ReplicaSet', 'frp-web-1', { metadata, spec: { replicas: 1 } }));
  await reconcileOn(alone, refOf(service));
  assert.equal(scalesAt(alone), 0);
});

test('an autoscaler of the workload is not fought: it is asked once for each generation', async () => {
  const service = naming('web', 3);
  const alone = cluster(service);
  await reconcileOn(alone, refOf(service));
  assert.equal(await replicasOf(alone), 3);
  const autoscale = (replicas: number): void =>
    void alone.put(object('apps/v1 Deployment', 'app', { spec: { replicas } }));
  for (const replicas of [5, 6, 2, 5]) {
    autoscale(replicas);
    await reconcileOn(alone, refOf(service));
    assert.equal(await replicasOf(alone), replicas);
  }
  assert.equal(scalesAt(alone), 1);
  const { message } = (await conditionOf(alone, service, 'BackendsAvailable')) ?? {};
  assert.match(
    message ?? '',
    /Deployment shop\/app has 5 replicas and was asked for 3: somebody else has scaled it since/,
  );
  assert.equal((await reconcileOn(alone, refOf(service))).writes, 0);
  alone.put(naming('web', 4));
  await reconcileOn(alone, refOf(service));
  assert.equal(await replicasOf(alone), 4);
  assert.equal(scalesAt(alone), 2);
});

test('another workload of that name is asked anew', async () => {
  const service = naming('web', 3);
  const alone = cluster(service);
  await reconcileOn(alone, refOf(service));
  alone.remove(appRef);
  await reconcileOn(alone, refOf(service));
  alone.put(object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } }));
  await reconcileOn(alone, refOf(service));
  assert.equal(await replicasOf(alone), 3);
});

test('what was refused has not been asked for', async () => {
  const service = naming('web', 3);
  const alone = cluster(service);
  alone.before = ({ verb }) => {
    if (verb === 'scale') throw new KnudgeError('admission-denied', 'no');
  };
  await reconcileOn(alone, refOf(service));
  assert.equal((await statusOf(alone, service))?.scaled, undefined);
  alone.before = undefined;
  await reconcileOn(alone, refOf(service));
  assert.equal(await replicasOf(alone), 3);
});
