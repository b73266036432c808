import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { distributedService, message, serverProfile } from '../build/objects.ts';
import { changeStems } from '../build/stems.ts';
import { type Arena, openArena } from './arena.ts';
import { objectsIn, yamlIn } from './install.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';

let arena: Arena;

before(async () => {
  arena = await openArena({ withSource: false });
});
after(() => arena.close());

async function postRecorded(stem: Stem, path: string) {
  const { headers, body } = JSON.parse(readFileSync(path, 'utf8')) as {
    headers: Record<string, string>;
    body: unknown;
  };
  const { host, 'content-length': length, 'accept-encoding': encoding, ...kept } = headers;
  assert.ok(host && length && encoding, 'a recorded request');
  const { url } = arena.functions.of(stem);
  const response = await fetch(url, {
    method: 'POST',
    headers: kept,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return {
    status: response.status,
    outcome: response.headers.get('knudge-outcome') ?? '',
    body: await response.text(),
  };
}

for (const stem of changeStems) {
  for (const file of readdirSync(`test/fixtures/events/${stem}`)) {
    test(`the recorded event ${stem}/${file} is done, and writes nothing where its object is gone`, async () => {
      const { status, outcome, body } = await postRecorded(stem, `test/fixtures/events/${stem}/${file}`);
      assert.equal(status, 204);
      assert.equal(body, '');
      assert.match(outcome, /^(gone|ignored); reads=\d+; writes=0$/);
    });
  }
}

test('an event of a cluster-scoped object, whose namespace is empty, is ignored by every function that is no sink', async () => {
  for (const stem of [...changeStems, 'resync-due'] as const) {
    const { status, outcome } = await postRecorded(
      stem,
      'test/fixtures/events/cluster-scoped/ref-priority-class-add.json',
    );
    assert.equal(status, 204);
    assert.equal(outcome, 'ignored; reads=0; writes=0');
  }
});

test('every example is taken by the API server, and its object by its function', async () => {
  const namespace = await arena.namespace('examples');
  for (const file of yamlIn('examples')) {
    for (const example of objectsIn(file)) {
      const object = { ...example, metadata: { ...example.metadata, namespace } };
      await arena.put(object);
      if (!['DistributedService', 'Message'].includes(object.kind)) continue;
      const stem = object.kind === 'Message' ? 'message-changed' : 'distributed-service-changed';
      const { status, outcome } = await postEvent(arena.functions.of(stem).url, object);
      assert.equal(status, 204, `${file}: ${outcome}`);
    }
  }
});

test('a parent in a namespace that is being deleted is done with, and nothing is half made', async () => {
  const namespace = await arena.namespace('terminating');
  const held = message('held', 'x', { namespace, finalizers: ['example.com/hold'] });
  await arena.put(held);
  await arena.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await until(
    'the namespace is terminating',
    async () => (await arena.get('v1', 'Namespace', { name: namespace }))?.metadata.deletionTimestamp !== undefined,
  );
  const { status, outcome } = await postEvent(arena.functions.of('message-changed').url, held);
  assert.equal(status, 204, outcome);
  assert.deepEqual(await arena.list('v1', 'Pod', namespace), []);
  await arena.put({ ...held, metadata: { name: 'held', namespace, finalizers: [] } });
});

test('an object that an older schema let in is told as invalid, and mended objects recover', async () => {
  const namespace = await arena.namespace('older');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const [crd] = objectsIn('crds/distributedservices.yaml');
  assert.ok(crd);
  const older = JSON.parse(JSON.stringify(crd), (key, value: unknown) =>
    key === 'x-kubernetes-validations' ? undefined : value,
  ) as KubeObject;
  const backends = { discovery: 'auto', port: 53, replicas: 0 } as const;
  const wrong = distributedService(
    'wrong',
    { serviceType: 'udp', backends, loadBalancing: { algorithm: 'least-conn' } },
    { namespace },
  );
  await arena.put(older);
  await until('the older schema is served', async () => {
    try {
      await arena.put(wrong);
      return true;
    } catch (error) {
      return String(error);
    }
  });
  await arena.put(crd);
  const { url } = arena.functions.of('distributed-service-changed');
  await until('the newer schema is served', async () => {
    const refused = distributedService(
      'other',
      { serviceType: 'udp', backends, loadBalancing: { algorithm: 'least-conn' } },
      { namespace },
    );
    return arena
      .put(refused)
      .then(() => arena.remove(refused))
      .then(
        () => false,
        () => true,
      );
  });
  assert.equal((await postEvent(url, wrong)).status, 204);
  const told = await arena.service(namespace, 'wrong');
  const condition = told?.status?.conditions?.find(({ type }) => type === 'ConfigurationValid');
  assert.equal(condition?.reason, 'InvalidSpec');
  assert.match(condition?.message ?? '', /udp has no connections/);
  assert.equal(await arena.get('apps/v1', 'Deployment', { namespace, name: 'frp-wrong' }), undefined);
  await arena.put(
    distributedService(
      'wrong',
      { serviceType: 'udp', backends, loadBalancing: { algorithm: 'random' } },
      { namespace },
    ),
  );
  assert.equal((await postEvent(url, wrong)).status, 204);
  assert.ok(await arena.get('apps/v1', 'Deployment', { namespace, name: 'frp-wrong' }));
});

test('what the API server does not permit is a fault of ours in a few words: 500, and nothing written', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/knudge-message';
  const binding = (await arena.api('GET', path)).body as KubeObject;
  const namespace = await arena.namespace('forbidden');
  const hello = message('hello', 'x', { namespace });
  await arena.put(hello);
  await arena.api('DELETE', path);
  await until('the function is refused', async () => {
    const { status, body } = await postEvent(arena.functions.of('message-changed').url, hello);
    assert.ok(Buffer.byteLength(body) <= 512);
    return status === 500;
  });
  assert.match(arena.functions.of('message-changed').log(), /not-permitted/);
  const { uid, resourceVersion, managedFields, creationTimestamp, ...metadata } = binding.metadata;
  assert.ok(uid && resourceVersion && managedFields && creationTimestamp);
  await arena.put({ ...binding, metadata });
  await until(
    'the function is permitted again',
    async () => (await postEvent(arena.functions.of('message-changed').url, hello)).status === 204,
  );
});
