import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../src/domain/errors.ts';
import { type KubeObject, refOf } from '../../src/domain/kube-object.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { backendPod, distributedService, message, object, serverProfile } from '../build/objects.ts';
import { reconcileOn, rolledOut } from '../build/run.ts';

const podRef = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' };
const service = distributedService('web');
const childRef = (kind: string, name: string, apiVersion = 'v1') => ({ apiVersion, kind, namespace: 'shop', name });
const tunnel = childRef('Deployment', 'frp-web', 'apps/v1');

async function running() {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), service, backendPod('web-1', '10.0.0.1')]) cluster.put(one);
  await reconcileOn(cluster, refOf(service));
  const deployment = await cluster.get(tunnel);
  assert.ok(deployment);
  cluster.put(rolledOut(deployment));
  await reconcileOn(cluster, refOf(service));
  return cluster;
}

test('R1: every child is read before the owner, and the owner before what it asks for', async () => {
  const cluster = await running();
  const from = cluster.calls.length;
  await reconcileOn(cluster, refOf(service));
  const reads = cluster.calls.slice(from).map(({ ref }) => ref.kind + (ref.name === '' ? ' list' : ''));
  const owner = reads.indexOf('DistributedService');
  assert.equal(owner, 7, 'seven children come first');
  assert.deepEqual(
    reads.slice(0, owner).filter((kind) => kind.endsWith('list')),
    [],
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
  const app = object('apps/v1 Deployment', 'app', { spec: { replicas: 1, selector: { matchLabels: { app: 'x' } } } });
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
  const foreign = object('Pod', 'msg-hello', { spec: { containers: [] } });
  let made = false;
  cluster.before = ({ verb }) => {
    if (verb !== 'create' || made) return;
    made = true;
    cluster.put(foreign);
  };
  await reconcileOn(cluster, refOf(message()));
  const pod = await cluster.get(podRef);
  assert.deepEqual((pod as unknown as { spec: unknown }).spec, { containers: [] });
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

const children = [
  childRef('ConfigMap', 'frp-web-config'),
  childRef('ConfigMap', 'frp-web-endpoints'),
  childRef('Service', 'frp-web-balanced'),
  childRef('Secret', 'frp-web-identity'),
  tunnel,
];
for (const ref of children) {
  test(`a deleted ${ref.kind} ${ref.name} comes back`, async () => {
    const cluster = await running();
    cluster.remove(ref);
    await reconcileOn(cluster, refOf(service));
    assert.ok(await cluster.get(ref));
  });
  test(`a foreign ${ref.kind} ${ref.name} is never touched, and a condition says so`, async () => {
    const cluster = memoryCluster();
    const foreign = object(`${ref.apiVersion} ${ref.kind}`, ref.name, { data: { mine: 'x' } });
    for (const one of [serverProfile(), service, foreign]) cluster.put(one);
    const before = await cluster.get(ref);
    await reconcileOn(cluster, refOf(service));
    await reconcileOn(cluster, refOf(service));
    assert.deepEqual(await cluster.get(ref), before);
    const { status } = (await cluster.get(refOf(service))) as unknown as typeof service;
    assert.equal(status?.state, 'Failed');
    const valid = status?.conditions?.find(({ type }) => type === 'ConfigurationValid');
    assert.equal(valid?.reason, 'NameConflict');
    assert.match(valid?.message ?? '', new RegExp(ref.name));
  });
}

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
    ['finalizers', 'create', 'create', 'create', 'create', 'create', 'status'],
  );
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
