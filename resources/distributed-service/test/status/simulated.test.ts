import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../../../packages/controller/domain/kube-object.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look } from '../../../../test/build/running-service.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { type Scene, scene } from '../../../../test/build/tunnel-scene.ts';

/** The messages of the conditions if the Pod of the tunnel is on this node, and nobody asks Envoy. */
async function messagesOn(nodeName: string): Promise<Readonly<Record<string, string>>> {
  const { cluster }: Scene = await scene();
  const service = await look(cluster);
  cluster.put(tunnelPod({ uid: service.metadata.uid ?? '', nodeName }));
  await reconcileOn(cluster, refOf(service));
  const { conditions = [] } = (await look(cluster)).status ?? {};
  return Object.fromEntries(conditions.map(({ type, message }) => [type, message]));
}

test('where Pods are simulated the status says so, of the tunnel and of the whole', async () => {
  const { Ready, TunnelAvailable, EndpointsAccepted } = await messagesOn('fake-node');
  assert.equal(Ready, 'The tunnel is up and its backends are ready, but Pods are simulated here: no request passes');
  assert.equal(TunnelAvailable, 'The Pod of the tunnel is ready, but Pods are simulated here: no request passes');
  assert.match(EndpointsAccepted ?? '', /^No Envoy says which endpoints it uses: the Pod of the tunnel is simulated/);
});

test('on any other node it does not', async () => {
  const { Ready, TunnelAvailable, EndpointsAccepted } = await messagesOn('worker-1');
  assert.equal(Ready, 'The tunnel is up and its backends are ready');
  assert.equal(TunnelAvailable, 'The Pod of the tunnel is ready');
  assert.match(EndpointsAccepted ?? '', /^Envoy has not said /);
});
