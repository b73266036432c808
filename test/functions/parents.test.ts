import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ChangeStem, functions } from '../../functions/table.ts';
import type { Change } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { ReconcileHow } from '../../packages/controller/domain/ports.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import { toChange } from '../../packages/controller/wire/to-change.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { changeStems } from '../build/stems.ts';
import { tunnelPod } from '../build/tunnel-pod.ts';
import { rows, web } from './parent-rows.ts';

const settled = (): Promise<void> => Promise.resolve();

async function parentsOf(stem: ChangeStem, change: Change, cluster = memoryCluster()): Promise<readonly string[]> {
  const found: string[] = [];
  const reconcile = async (ref: ObjectRef) => {
    found.push(describe(ref));
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  await functions[stem].handle(change, { reader: cluster, controllerNamespace: 'knudge', reconcile, settled });
  return found.sort();
}

for (const { sentence, stem, subject, parents, cluster: others = [] } of rows) {
  test(sentence, async () => {
    const cluster = memoryCluster();
    for (const one of [...others, subject]) cluster.put(one);
    const change: Change = { id: '1', verb: 'updated', ref: refOf(subject) };
    assert.deepEqual(await parentsOf(stem, { ...change, hint: subject }, cluster), parents, 'as the event carried it');
    assert.deepEqual(await parentsOf(stem, change, cluster), parents, 'by its name alone');
  });
}

test('an event with the service itself, as our own write of its status makes one, asks no Envoy; the resync does', async () => {
  const service = distributedService('web');
  const change: Change = { id: '1', verb: 'updated', ref: refOf(service) };
  const asks: unknown[] = [];
  const reconcile = async (_: ObjectRef, how: ReconcileHow = {}) => {
    asks.push(how.asksNobody !== true);
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  const context = { reader: memoryCluster(), controllerNamespace: 'knudge', reconcile, settled };
  await functions['distributed-service-changed'].handle({ ...change, hint: service }, context);
  await functions['distributed-service-changed'].handle({ ...change, verb: 'requested' }, context);
  assert.deepEqual(asks, [false, true]);
});

test('before a tunnel is looked at, its Envoy may take what its Pod was told of', async () => {
  const cluster = memoryCluster();
  const steps: string[] = [];
  const reconcile = async (ref: ObjectRef) => {
    steps.push(describe(ref));
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  const wait = async (ref: ObjectRef) => void steps.push(`settled ${describe(ref)}`);
  const context = { reader: cluster, controllerNamespace: 'knudge', reconcile, settled: wait };
  for (const pod of [tunnelPod(), object('Pod', 'p', { metadata: { labels: { 'frp.io/service': 'web' } } })]) {
    await functions['pod-changed'].handle({ id: '1', verb: 'updated', ref: refOf(pod), hint: pod }, context);
  }
  assert.deepEqual(steps, ['settled Pod shop/frp-web-1', web, web]);
});

test('the Pod of a tunnel is looked at although its version is known, for of what its Envoy has taken no object tells', async () => {
  const insisted: unknown[] = [];
  const reconcile = async (_: ObjectRef, how: ReconcileHow = {}) => {
    insisted.push(how.insists === true);
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  const context = { reader: memoryCluster(), controllerNamespace: 'knudge', reconcile, settled };
  for (const pod of [tunnelPod(), object('Pod', 'p', { metadata: { labels: { 'frp.io/service': 'web' } } })]) {
    await functions['pod-changed'].handle({ id: '1', verb: 'updated', ref: refOf(pod), hint: pod }, context);
  }
  assert.deepEqual(insisted, [true, false]);
});

test('a Secret of ours that is gone is known by its name', async () => {
  const cluster = memoryCluster();
  for (const one of [distributedService('web'), distributedService('api')]) cluster.put(one);
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-web-identity' };
  assert.deepEqual(await parentsOf('secret-changed', { id: '1', verb: 'deleted', ref }, cluster), [web]);
});

test('a certificate authority that is gone is known by its name, also to services of other namespaces', async () => {
  const cluster = memoryCluster();
  const security = { mtls: { enabled: true, autoGenerate: true } };
  const elsewhere = { ...distributedService('own', { security }), status: { serverProfile: 'shop/frps' } };
  for (const one of [
    distributedService('web', { security }),
    distributedService('api', { security, serverProfile: 'other' }),
    distributedService('plain'),
    elsewhere as unknown as KubeObject,
  ])
    cluster.put(one);
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'knudge', name: 'frp-default-ca' };
  assert.deepEqual(await parentsOf('secret-changed', { id: '1', verb: 'deleted', ref }, cluster), [web]);
});

test('the data of a Secret is never read to learn whom it concerns', async () => {
  const cluster = memoryCluster();
  for (const secret of ['frp-mine-tls', 'mine'].map((name) => object('Secret', name, { data: { key: 'c2VjcmV0' } }))) {
    cluster.put(secret);
    await parentsOf('secret-changed', { id: '1', verb: 'updated', ref: refOf(secret) }, cluster);
  }
  assert.deepEqual(
    cluster.calls.flatMap(({ verb, ref }) => (ref.kind === 'Secret' ? [`${verb} ${ref.name}`] : [])),
    ['getMetadata frp-mine-tls'],
    'of the Secret `mine`, which has no name that Knudge gives, the function reads nothing',
  );
});

test('one parent that fails does not keep the others from their turn, and the event comes again', async () => {
  const cluster = memoryCluster();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  for (const name of names) cluster.put(distributedService(name));
  cluster.put(serverProfile());
  const seen: string[] = [];
  const change: Change = { id: '1', verb: 'updated', ref: refOf(serverProfile()), hint: serverProfile() };
  const reconcile = async ({ name }: ObjectRef) => {
    seen.push(name);
    if (name === 's3') throw new Error('broken');
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  const context = { reader: cluster, controllerNamespace: 'knudge', reconcile, settled };
  await assert.rejects(functions['config-map-changed'].handle(change, context), /broken/);
  assert.deepEqual(seen.sort(), names.sort());
});

for (const code of ['kind-not-served', 'unavailable'] as const) {
  test(`Secrets and ConfigMaps concern nobody while the kind of services is not served: ${code}`, async () => {
    const cluster = memoryCluster();
    cluster.put(serverProfile());
    cluster.before = ({ verb }) => {
      if (verb === 'list') throw new KnudgeError(code, 'no list');
    };
    const ref = refOf(object('Secret', 'mine'));
    const asked = [
      () => parentsOf('secret-changed', { id: '1', verb: 'updated', ref }, cluster),
      () => parentsOf('config-map-changed', { id: '1', verb: 'updated', ref: refOf(serverProfile()) }, cluster),
    ];
    for (const parents of asked) {
      if (code === 'kind-not-served') assert.deepEqual(await parents(), []);
      else await assert.rejects(parents(), { code });
    }
  });
}

for (const stem of changeStems) {
  const folder = `test/fixtures/events/${stem}`;
  for (const file of readdirSync(folder)) {
    test(`${stem} takes the recorded event ${file}`, async () => {
      const { headers, body } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
      const change = toChange(decode({ headers, body: Buffer.from(JSON.stringify(body)) }));
      assert.ok(change);
      const kind = `${change.ref.apiVersion.includes('/') ? change.ref.apiVersion.split('/')[0] : ''}/${change.ref.kind}`;
      assert.equal(kind, functions[stem].kind);
      await parentsOf(stem, change);
    });
  }
}
