import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskTunnel } from '../../../../resources/distributed-service/tunnel/types.ts';
import { backendPod } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, service, tunnel } from '../../../../test/build/running-service.ts';
import { checked, type Said, type Scene, scene } from '../../../../test/build/tunnel-scene.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);

/** What the Deployment says while its Pod is not ready. */
async function unavailable({ cluster }: Scene): Promise<void> {
  const live = (await cluster.get(tunnel)) as KubeObject & { readonly status: object };
  cluster.put({ ...live, status: { ...live.status, availableReplicas: 0 } } as KubeObject);
}

const sick = { backends: false };

const unhealthy: readonly [sentence: string, pod: object, said: Said, reason: string][] = [
  ['the Pod and Envoy say so', sick, { healthy: 0 }, 'AllBackendsUnhealthy'],
  ['the Pod says so, and Envoy does not answer', sick, 'unreachable', 'AllBackendsUnhealthy'],
  ['the Pod was not probed yet, and Envoy has a healthy one', sick, { healthy: 1 }, 'BackendsReady'],
  ['the Pod says nothing of it', {}, { healthy: 0 }, 'BackendsReady'],
  ['frpc does not run', { ...sick, isRunning: false }, 'unreachable', 'BackendsReady'],
  ['Envoy is not ready either', { backends: false, envoy: false }, 'unreachable', 'BackendsReady'],
  ['nobody has asked', sick, 'not asked', 'BackendsReady'],
];
for (const [sentence, pod, said, reason] of unhealthy) {
  test(`whether all backends are unhealthy: ${sentence}`, async () => {
    const at = await scene();
    await at.tell({}, {});
    await at.tell(pod, said);
    assert.equal(await at.reason('BackendsAvailable'), reason);
    assert.equal(await at.tell(pod, said), 0, 'the same again is no news');
    assert.equal(await at.tell(pod, 'not asked'), 0, 'nor is it for who asks nobody');
  });
}

test('a service without a health check has no unhealthy backends', async () => {
  const at = await scene(service.spec);
  await at.tell(sick, { healthy: 0 });
  assert.equal(await at.reason('BackendsAvailable'), 'BackendsReady');
});

test('where all are unhealthy the tunnel is up all the same; when one is healthy again, that is told', async () => {
  const at = await scene();
  await at.tell({}, {});
  await unavailable(at);
  await at.tell(sick, { healthy: 0 });
  assert.equal(await at.reason('TunnelAvailable'), 'TunnelUp');
  assert.equal(await at.reason('Ready'), 'AllBackendsUnhealthy');
  assert.equal((await look(at.cluster)).status?.state, 'Updating');
  await at.tell({}, 'not asked');
  assert.equal(await at.reason('BackendsAvailable'), 'BackendsReady');
  const told = at.cluster.calls.flatMap(({ notice }) => (notice === undefined ? [] : [notice.reason]));
  assert.deepEqual(
    told.filter((reason) => reason.includes('Backends')),
    ['BackendsReady', 'AllBackendsUnhealthy', 'BackendsReady'],
  );
});

const accepted: readonly [sentence: string, steps: readonly [pod: object, said: Said][], reason: string][] = [
  ['Envoy has them', [[{}, {}]], 'EndpointsLive'],
  ['Envoy has others', [[{}, { version: 'aa' }]], 'UpdatePending'],
  ['Envoy has others, and has refused some', [[{}, { version: 'aa', refused: 1 }]], 'UpdateRejected'],
  ['Envoy has them, and has refused others', [[{}, { refused: 3 }]], 'EndpointsLive'],
  ['Envoy does not answer', [[{}, 'unreachable']], 'NotReadBack'],
  ['nobody asks', [[{}, 'not asked']], 'NotReadBack'],
  ['its Pod is not ready', [[{ envoy: false }, 'unreachable']], 'TunnelNotReady'],
  [
    'one answer is lost',
    [
      [{}, {}],
      [{}, 'unreachable'],
    ],
    'EndpointsLive',
  ],
  [
    'refused, and one answer is lost',
    [
      [{}, { version: 'aa', refused: 1 }],
      [{}, 'unreachable'],
    ],
    'UpdateRejected',
  ],
  [
    'pending, and it falls silent',
    [
      [{}, { version: 'aa' }],
      [{}, 'unreachable'],
    ],
    'NotReadBack',
  ],
  [
    'refused, then taken',
    [
      [{}, { version: 'aa', refused: 1 }],
      [{}, { refused: 1 }],
    ],
    'EndpointsLive',
  ],
  [
    'its Pod goes and another comes',
    [
      [{}, {}],
      [{ envoy: false }, 'unreachable'],
      [{}, 'unreachable'],
    ],
    'NotReadBack',
  ],
];
for (const [sentence, steps, reason] of accepted) {
  test(`whether Envoy uses the endpoints: ${sentence}`, async () => {
    const at = await scene();
    for (const [pod, said] of steps) await at.tell(pod, said);
    assert.equal(await at.reason('EndpointsAccepted'), reason);
    const [pod = {}, said = {}] = steps.at(-1) ?? [];
    assert.equal(await at.tell(pod as object, said as Said), 0, 'the same again is no news');
    assert.equal(await at.tell(pod as object, 'not asked'), 0, 'nor is it for who asks nobody');
    assert.equal(await at.reason('Ready'), reason === 'UpdateRejected' ? reason : 'Running');
  });
}

test('what was said of endpoints is not said of others', async () => {
  const at = await scene();
  await at.tell({}, {});
  const before = await at.wanted();
  at.cluster.put(backendPod('web-2', '10.0.0.2'));
  await at.tell({}, { version: before });
  assert.notEqual(await at.wanted(), before);
  assert.equal(await at.reason('EndpointsAccepted'), 'UpdatePending');
  at.cluster.put(backendPod('web-3', '10.0.0.3'));
  await at.tell({}, 'not asked');
  assert.equal(await at.reason('EndpointsAccepted'), 'NotReadBack');
});

test('a Pod is asked once in a reconcile, however many passes it has', async () => {
  const at = await scene();
  await at.tell({}, {});
  let questions = 0;
  const askTunnel: AskTunnel = async () => {
    questions += 1;
    return undefined;
  };
  at.cluster.put({ ...service, spec: { ...checked, expose: { remotePort: 7002 } } } as KubeObject);
  const { reads } = await reconcileOn(at.cluster, ref, { askTunnel });
  assert.ok(reads >= 24, 'it has two passes');
  assert.equal(questions, 1);
});

test('people hear that endpoints are refused and that they are taken again, and not of each change', async () => {
  const at = await scene();
  const steps: readonly Said[] = [
    {},
    { version: 'aa' },
    {},
    { version: 'aa', refused: 1 },
    'unreachable',
    { refused: 1 },
  ];
  for (const said of steps) await at.tell({}, said);
  const told = at.cluster.calls.flatMap(({ notice }) => (notice === undefined ? [] : [notice]));
  const reasons = ['EndpointsLive', 'UpdatePending', 'UpdateRejected'];
  assert.deepEqual(
    told.filter(({ reason }) => reasons.includes(reason)).map(({ type, reason }) => `${type} ${reason}`),
    ['Warning UpdateRejected', 'Normal EndpointsLive'],
  );
});
