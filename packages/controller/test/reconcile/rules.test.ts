import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesWith } from '../../../../resources/managed/resources.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, given, message, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service, tunnel } from '../../../../test/build/running-service.ts';
import { tools } from '../../../../test/build/tools.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { hashOf } from '../../react/hash.ts';
import { reconcile } from '../../reconcile/reconcile.ts';

const podRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' };

test('R1: every child and every Claim is read before the owner, and the owner before what it asks for', async () => {
  const cluster = await running();
  const from = cluster.calls.length;
  await reconcileOn(cluster, refOf(service));
  const reads = cluster.calls.slice(from).map(({ ref }) => ref.kind + (ref.name === '' ? ' list' : ''));
  const owner = reads.indexOf('DistributedService');
  assert.equal(owner, 8, 'seven children and the Claims come first');
  assert.deepEqual(
    reads.slice(0, owner).filter((kind) => kind.endsWith('list')),
    ['Claim list'],
  );
  assert.ok(
    reads.slice(owner + 1).every((kind) => kind.endsWith('list')),
    'inputs come last',
  );
});

test('R1: the workload that may be scaled is read after the owner, so the owner is read once more', async () => {
  const cluster = memoryCluster();
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;
  const scaled = distributedService('web', { backends: { discovery: 'auto', port: 8080, replicas: 3, workloadRef } });
  const app = object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } });
  for (const one of [serverProfile(), scaled, app]) cluster.put(one);
  let moved = false;
  cluster.before = ({ verb, ref }) => {
    if (moved || verb !== 'get' || ref.name !== 'app') return;
    moved = true;
    cluster.put({
      ...scaled,
      spec: { ...scaled.spec, backends: { ...scaled.spec.backends, replicas: 5 } },
    } as KubeObject);
  };
  await reconcileOn(cluster, refOf(scaled));
  const after = (await cluster.get(refOf(app))) as unknown as { spec: { replicas: number } };
  assert.equal(after.spec.replicas, 5);
  const scales = cluster.calls.filter(({ verb }) => verb === 'scale');
  assert.equal(scales.length, 1, 'the old number is never written');
});

test('R2: a writer that was overtaken loses, reads again and comes to the newer result', async () => {
  const cluster = await running();
  const spec = (port: number) => ({
    ...service,
    spec: { ...service.spec, backends: { ...service.spec.backends, port } },
  });
  cluster.put(spec(9001) as KubeObject);
  let overtaken = false;
  cluster.before = async ({ verb, ref }) => {
    if (overtaken || verb !== 'apply' || ref.kind !== 'ConfigMap') return;
    overtaken = true;
    cluster.put(spec(9002) as KubeObject);
    await reconcileOn(cluster, refOf(service));
  };
  await reconcileOn(cluster, refOf(service));
  assert.ok(overtaken);
  const endpoints = (await cluster.get(childRef('ConfigMap', 'frp-web-endpoints'))) as unknown as {
    data: Record<string, string>;
  };
  assert.match(endpoints.data['eds.json'] ?? '', /9002/);
  assert.doesNotMatch(endpoints.data['eds.json'] ?? '', /9001/);
});

test('R2: create never overwrites what another instance has made meanwhile', async () => {
  const cluster = memoryCluster();
  cluster.put(message());
  const foreign = object('Pod', 'msg-hello');
  let made = false;
  cluster.before = ({ verb }) => {
    if (verb !== 'create' || made) return;
    made = true;
    cluster.put(foreign);
  };
  await reconcileOn(cluster, refOf(message()));
  const pod = await cluster.get(podRef);
  assert.equal(pod?.metadata.ownerReferences, undefined);
  const { status } = (await cluster.get(refOf(message()))) as unknown as { status: { phase: string } };
  assert.equal(status.phase, 'Failed');
});

test('R3: a status that was decided from an old owner is not taken, and the newer owner wins', async () => {
  const cluster = memoryCluster();
  cluster.put(message());
  let moved = false;
  cluster.before = ({ verb }) => {
    if (verb !== 'status' || moved) return;
    moved = true;
    cluster.put(message('hello', 'newer text'));
  };
  await reconcileOn(cluster, refOf(message()));
  const told = (await cluster.get(refOf(message()))) as unknown as { status: { observedGeneration: number } };
  assert.equal(told.status.observedGeneration, 2);
});

test('R4: nothing is written when nothing changed, for both kinds and at any later time', async () => {
  const cluster = await running();
  cluster.put(message());
  await reconcileOn(cluster, refOf(message()));
  for (const ref of [refOf(service), refOf(message())]) {
    for (const now of ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']) {
      assert.deepEqual((await reconcileOn(cluster, ref, { now })).writes, 0);
    }
  }
});

test('a field that is no longer desired goes, also from a child that was created by POST', async () => {
  const cluster = await running();
  const balanced = childRef('Service', 'frp-web-balanced');
  const before = await cluster.get(balanced);
  cluster.put({
    ...service,
    spec: { ...service.spec, security: { mtls: { enabled: true, autoGenerate: true } } },
  } as KubeObject);
  await reconcileOn(cluster, refOf(service));
  const secured = JSON.stringify(await cluster.get(tunnel));
  assert.match(secured, /frp-web-tls/);
  cluster.put(service);
  await reconcileOn(cluster, refOf(service));
  assert.doesNotMatch(JSON.stringify(await cluster.get(tunnel)), /frp-web-tls/);
  assert.equal(await cluster.get(childRef('Secret', 'frp-web-tls')), undefined, 'an orphan is removed');
  assert.deepEqual(await cluster.get(balanced), before, 'what did not change is not written');
});

test('the clock is read after all that a decision rests on, for it is the API server that tells it', async () => {
  const cluster = await running();
  const order: string[] = [];
  const get: typeof cluster.get = (ref) => cluster.get(ref).finally(() => order.push('read'));
  await reconcile(refOf(service), {
    reader: { ...cluster, get },
    writer: cluster,
    trace: () => undefined,
    dryRun: true,
    allow: () => {},
    resources: resourcesWith(tools()),
    asks: false,
    pause: () => Promise.resolve(),
    given: () => {
      order.push('clock');
      return { ...given(), hash: hashOf };
    },
  });
  assert.equal(order.filter((one) => one === 'read').length, 8);
  assert.equal(order.at(-1), 'clock');
});
