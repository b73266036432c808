import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedMessage } from '../../../../resources/distributed-service/cleanup.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, reasonOf, running, secured, service, tunnel } from '../../../../test/build/running-service.ts';
import { type ErrorCode, KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const messageOf = ({ status }: Awaited<ReturnType<typeof look>>, condition: string): string =>
  status?.conditions?.find(({ type }) => type === condition)?.message ?? '';

test('deletion takes the tunnel first, then its identity and the rest, then the finalizer', async () => {
  const cluster = await running(secured);
  const from = cluster.calls.length;
  cluster.remove(ref);
  await reconcileOn(cluster, ref);
  assert.equal((await look(cluster)).status?.state, 'Terminating');
  const deleted = () => cluster.calls.slice(from).flatMap((call) => (call.verb === 'delete' ? [call.ref.kind] : []));
  assert.deepEqual(deleted(), ['Deployment'], 'nothing else while the tunnel is there');
  cluster.collectGarbage();
  await reconcileOn(cluster, ref);
  assert.equal(await cluster.get(ref), undefined);
  assert.deepEqual(deleted().sort(), ['Claim', 'ConfigMap', 'ConfigMap', 'Deployment', 'Secret', 'Secret', 'Service']);
  const left = cluster.objects().map((one) => `${one.kind} ${one.metadata.name}`);
  assert.deepEqual(
    left,
    ['Pod web-1', 'ConfigMap frps-default', 'Secret frp-default-ca'].sort((a, b) => left.indexOf(a) - left.indexOf(b)),
  );
});

test('a deletion that something holds past its deadline says what, and how to look at it', async () => {
  const cluster = await running();
  const deployment = await cluster.get(tunnel);
  assert.ok(deployment);
  cluster.put({ ...deployment, metadata: { ...deployment.metadata, finalizers: ['example.com/hold'] } });
  cluster.remove(ref);
  await reconcileOn(cluster, ref, { now: '2026-01-01T00:01:00Z' });
  assert.equal(reasonOf(await look(cluster), 'CleanupBlocked'), undefined);
  await reconcileOn(cluster, ref, { now: '2026-01-01T00:05:00Z' });
  assert.match(
    messageOf(await look(cluster), 'CleanupBlocked'),
    /Deployment shop\/frp-web .*example\.com\/hold.*kubectl --namespace shop get deployment frp-web/,
  );
});

test('a finalizer that nobody may take off is told, tried once at each event, and goes when it may', async () => {
  const cluster = await running();
  cluster.remove(ref);
  await reconcileOn(cluster, ref);
  cluster.collectGarbage();
  cluster.before = ({ verb }) => {
    if (verb === 'finalizers') throw new KnudgeError('admission-denied', 'not today');
  };
  const from = cluster.calls.length;
  const tries = () => cluster.calls.slice(from).filter(({ verb }) => verb === 'finalizers').length;
  for (const event of [1, 2]) {
    assert.equal((await reconcileOn(cluster, ref)).result, 'done');
    assert.equal(tries(), event);
    assert.equal(reasonOf(await look(cluster), 'CleanupBlocked'), 'AdmissionDenied');
    assert.match(messageOf(await look(cluster), 'Ready'), /the finalizer frp\.io\/cleanup to go/);
  }
  cluster.before = undefined;
  await reconcileOn(cluster, ref);
  assert.equal(await cluster.get(ref), undefined);
});

const freed: readonly [sentence: string, change: Partial<KubeObject['metadata']>, command: RegExp][] = [
  [
    'finalizers of others are taken off',
    { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold', 'foregroundDeletion'] },
    /patch deployment frp-web --type merge --patch '{"metadata":{"finalizers":null}}'$/,
  ],
  [
    'Pods that do not end are taken away',
    { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] },
    /delete pods --selector frp.io\/tunnel=web,knudge.dev\/owner-uid=uid-1 --force --grace-period=0$/,
  ],
  ['what was never deleted is deleted', {}, /; free it with: kubectl --namespace shop delete deployment frp-web$/],
];
for (const [sentence, change, command] of freed) {
  test(`the message of a blocked deletion has the command that frees it: ${sentence}`, () => {
    const child = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'frp-web', namespace: 'shop', ...change },
    };
    assert.match(blockedMessage({ ...service, metadata: { ...service.metadata, uid: 'uid-1' } }, [child]), command);
  });
}

test('a child of a service of the same name that is gone is waited for, and the new service is made after it', async () => {
  const cluster = await running();
  const old = await cluster.get(tunnel);
  assert.ok(old);
  cluster.remove(ref);
  const left = await look(cluster);
  cluster.put({ ...left, metadata: { ...left.metadata, finalizers: [] } } as KubeObject);
  assert.equal(await cluster.get(ref), undefined);
  cluster.put({ ...service, metadata: { name: 'web', namespace: 'shop' } });
  await reconcileOn(cluster, ref);
  assert.deepEqual(await cluster.get(tunnel), old, 'what belonged to the old one is left to the garbage collector');
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'WaitingForDeletion');
  cluster.collectGarbage();
  await reconcileOn(cluster, ref);
  assert.equal((await look(cluster)).status?.state, 'Provisioning');
});

test('without the definition of Claims a service that leaves is gone, and one that stays waits for it: nothing is written', async () => {
  const cluster = await running();
  const failing = (code: ErrorCode) => {
    cluster.before = ({ verb, ref: { kind } }) => {
      if (verb === 'list' && kind === 'Claim') throw new KnudgeError(code, 'no answer');
    };
  };
  failing('kind-not-served');
  const from = cluster.calls.length;
  await assert.rejects(reconcileOn(cluster, ref), { code: 'kind-not-served' });
  assert.deepEqual(
    cluster.calls.slice(from).filter(({ verb }) => !['get', 'list'].includes(verb)),
    [],
  );
  cluster.remove(ref);
  failing('unavailable');
  await assert.rejects(reconcileOn(cluster, ref), { code: 'unavailable' });
  failing('kind-not-served');
  for (let passes = 0; passes < 2; passes += 1) {
    await reconcileOn(cluster, ref);
    cluster.collectGarbage();
  }
  assert.equal(await cluster.get(ref), undefined);
});
