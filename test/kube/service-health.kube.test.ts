import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { tcpSpec } from '../build/objects.ts';
import { pathOf } from './install.ts';
import { useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();
const healthCheck = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;

interface Pod extends KubeObject {
  readonly status: {
    readonly containerStatuses: readonly { readonly name: string }[];
    readonly conditions: readonly { readonly type: string }[];
  };
}

test('the kubelet says that Envoy is up and not ready: no backend is healthy, and the tunnel is up; and back', async () => {
  const { arena, namespace, build, pod, child, reasonOf } = services();
  await arena.put(pod('web-1', { 'frp.io/service': 'web' }));
  const service = build('web', { loadBalancing: { ...tcpSpec.loadBalancing, healthCheck } });
  await arena.put(service);
  await arena.running(namespace, 'web');
  await arena.settled(service);
  const { spec } = (await child('Service', 'frp-web-balanced')) as KubeObject & { readonly spec: object };
  assert.equal('publishNotReadyAddresses' in spec && spec.publishNotReadyAddresses, true);

  /** What the kubelet would: one container, and so the Pod, is ready or not. */
  const tell = async (ready: boolean): Promise<void> => {
    const pods = (await arena.list('v1', 'Pod', namespace)) as readonly Pod[];
    const tunnel = pods.find(({ metadata }) => metadata.labels?.['frp.io/tunnel'] === 'web');
    assert.ok(tunnel);
    const { containerStatuses, conditions } = tunnel.status;
    const status = {
      containerStatuses: containerStatuses.map((one) =>
        one.name === 'envoy' ? { ...one, ready, started: true } : one,
      ),
      conditions: conditions.map((one) =>
        /Ready$/.test(one.type) ? { ...one, status: ready ? 'True' : 'False' } : one,
      ),
    };
    const path = `${pathOf('v1', 'Pod', tunnel.metadata)}/status`;
    const contentType = 'application/merge-patch+json';
    const answer = await arena.api('PATCH', path, { body: { status }, contentType });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const isTold = (reason: string) => async () => {
    const found = await reasonOf('web', 'BackendsAvailable');
    return found === reason || found;
  };
  await tell(false);
  await until('it is told', isTold('AllBackendsUnhealthy'));
  await until('the Deployment has heard of it', async () => {
    const { status } = (await child('Deployment', 'frp-web', 'apps/v1')) as { status?: { availableReplicas?: number } };
    return (status?.availableReplicas ?? 0) === 0;
  });
  await arena.settled(service);
  assert.equal(await reasonOf('web', 'TunnelAvailable'), 'TunnelUp');
  assert.equal(await reasonOf('web', 'BackendsAvailable'), 'AllBackendsUnhealthy');
  await tell(true);
  await until('it is taken back', isTold('BackendsReady'));
  await arena.running(namespace, 'web');
  await arena.settled(service);
});
