import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionOf } from '../../src/decide/distributed-service/live-endpoints.ts';
import type { LiveEndpoints } from '../../src/domain/data-plane.ts';
import { type KubeObject, refOf } from '../../src/domain/kube-object.ts';
import type { AskTunnel } from '../../src/domain/ports.ts';
import type { MemoryCluster } from '../build/memory-cluster.ts';
import { backendPod } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { childRef, look, reasonOf, running, service, tunnel } from '../build/running-service.ts';
import { tunnelPod } from '../build/tunnel-pod.ts';

const ref = refOf(service);
const healthCheck = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;
const checked = { ...service.spec, loadBalancing: { ...service.spec.loadBalancing, healthCheck } };

type Said = Partial<LiveEndpoints> | 'unreachable' | 'not asked';

interface Scene {
  readonly cluster: MemoryCluster;
  /** Puts the Pod as its kubelet tells of it, and reconciles; gives how many writes that took. */
  tell(pod: Parameters<typeof tunnelPod>[0], said: Said): Promise<number>;
  wanted(): Promise<string>;
  reason(type: string): Promise<string | undefined>;
}

async function scene(spec: typeof service.spec = checked): Promise<Scene> {
  const cluster = await running(spec);
  const uid = (await cluster.get(ref))?.metadata.uid ?? '';
  const wanted = async (): Promise<string> => versionOf(await cluster.get(childRef('ConfigMap', 'frp-web-endpoints')));
  return {
    cluster,
    wanted,
    reason: async (type) => reasonOf(await look(cluster), type),
    tell: async (pod, said) => {
      cluster.put(tunnelPod({ uid, ...pod }));
      const version = await wanted();
      const ask: AskTunnel = async (address) => {
        assert.equal(address, '10.1.0.1');
        return typeof said === 'string' ? undefined : { version, total: 1, healthy: 1, refused: 0, ...said };
      };
      const asking = said === 'not asked' ? {} : { askTunnel: ask };
      return (await reconcileOn(cluster, ref, asking)).writes;
    },
  };
}

/** What the Deployment says while its Pod is not ready. */
async function unavailable({ cluster }: Scene): Promise<void> {
  const live = (await cluster.get(tunnel)) as KubeObject & { readonly status: object };
  cluster.put({ ...live, status: { ...live.status, availableReplicas: 0 } } as KubeObject);
}

const sick = { frpc: false };

const unhealthy: readonly [sentence: string, pod: object, said: Said, reason: string][] = [
  ['the Pod and Envoy say so', sick, { healthy: 0 }, 'AllBackendsUnhealthy'],
  ['the Pod says so, and Envoy does not answer', sick, 'unreachable', 'AllBackendsUnhealthy'],
  ['the Pod was not probed yet, and Envoy has a healthy one', sick, { healthy: 1 }, 'BackendsReady'],
  ['the Pod says nothing of it', {}, { healthy: 0 }, 'BackendsReady'],
  ['frpc does not run', { ...sick, isRunning: false }, 'unreachable', 'BackendsReady'],
  ['Envoy is not ready either', { frpc: false, envoy: false }, 'unreachable', 'BackendsReady'],
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

test('a Pod is asked once in a reconcile, however many passes it has; and a refusal is told to people, once', async () => {
  const at = await scene();
  let questions = 0;
  const askTunnel: AskTunnel = async () => {
    questions += 1;
    return { version: 'aa', total: 1, healthy: 1, refused: 1 };
  };
  await at.tell({}, {});
  at.cluster.put(backendPod('web-2', '10.0.0.2'));
  for (let times = 0; times < 3; times += 1) await reconcileOn(at.cluster, ref, { askTunnel });
  assert.equal(questions, 3);
  const told = at.cluster.calls.flatMap(({ notice }) => (notice?.reason === 'UpdateRejected' ? [notice] : []));
  assert.deepEqual(
    told.map(({ type }) => type),
    ['Warning'],
  );
});
