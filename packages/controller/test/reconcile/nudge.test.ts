import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionOf } from '../../../../resources/distributed-service/envoy/live-endpoints.ts';
import { backendPod } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service } from '../../../../test/build/running-service.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);

test('a backend more: the Pod of the tunnel is told to look, after everything is written', async () => {
  const cluster = await running();
  assert.ok(
    cluster.calls.every(({ verb }) => verb !== 'nudge'),
    'a tunnel that starts looks by itself',
  );
  cluster.put(backendPod('web-2', '10.0.0.2'));
  const from = cluster.calls.length;
  await reconcileOn(cluster, ref);
  const after = cluster.calls.slice(from);
  const nudge = after.at(-1)?.nudge;
  const endpoints = await cluster.get(childRef('ConfigMap', 'frp-web-endpoints'));
  const { uid } = (await cluster.get(ref))?.metadata ?? {};
  assert.deepEqual(nudge, {
    about: endpoints && refOf(endpoints),
    namespace: 'shop',
    labelSelector: `frp.io/tunnel=web,knudge.dev/owner-uid=${uid}`,
    annotations: { 'knudge.dev/endpoints': versionOf(endpoints) },
  });
  await reconcileOn(cluster, ref);
  assert.equal(cluster.calls.filter(({ verb }) => verb === 'nudge').length, 1, 'once for each change');
});

const stopped: readonly [sentence: string, error: KnudgeError, verb: string][] = [
  ['is overtaken', new KnudgeError('conflict', 'the object has been modified'), 'status'],
  ['is refused', new KnudgeError('quota-exceeded', 'not so many'), 'apply'],
];
for (const [sentence, error, verb] of stopped) {
  test(`a later write ${sentence}: the Pod is told all the same, for the next look finds nothing to write`, async () => {
    const cluster = await running();
    cluster.put(backendPod('web-2', '10.0.0.2'));
    cluster.put({ ...service, spec: { ...service.spec, expose: { remotePort: 7002 } } } as typeof service);
    let isOver = false;
    cluster.before = (call) => {
      if (isOver || call.verb !== verb || call.ref.name === 'frp-web-endpoints' || call.ref.kind === 'Claim') return;
      isOver = true;
      throw error;
    };
    await reconcileOn(cluster, ref);
    assert.ok(isOver);
    assert.equal(cluster.calls.filter((call) => call.verb === 'nudge').length, 1);
  });
}

test('what restarts the Pod needs no nudge', async () => {
  const cluster = await running();
  cluster.put({ ...service, spec: { ...service.spec, expose: { remotePort: 7002 } } } as typeof service);
  await reconcileOn(cluster, ref);
  assert.ok(cluster.calls.every(({ verb }) => verb !== 'nudge'));
});
