import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, service, tunnel } from '../../../../test/build/running-service.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const quota = 'pods "frp-web-x" is forbidden: exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0';

async function madeService() {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), service, backendPod('web-1', '10.0.0.1')]) cluster.put(one);
  await reconcileOn(cluster, ref);
  const told = async () => {
    await reconcileOn(cluster, ref);
    const { status } = await look(cluster);
    return status?.conditions?.find(({ type }) => type === 'TunnelAvailable');
  };
  return { cluster, told };
}

test('that no Pod can be made for a tunnel is told in the words of the API server', async () => {
  const { cluster, told } = await madeService();
  const live = await cluster.get(tunnel);
  const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: quota };
  cluster.put({ ...live, status: { conditions: [failure] } } as unknown as KubeObject);
  const { reason, message } = (await told()) ?? {};
  assert.deepEqual(
    [reason, message],
    ['TunnelBlocked', `The Pod of the tunnel does not start: FailedCreate: ${quota}`],
  );
});

test('what is wrong with the Pod of a tunnel is told in the words of its kubelet, and no more when it is right', async () => {
  const { cluster, told } = await madeService();
  const { uid = '' } = (await look(cluster)).metadata;
  const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "frpc:9"' };
  const pod = tunnelPod({ uid, published: false, envoy: false });
  const containerStatuses = [{ name: 'frpc', ready: false, state: { waiting } }];
  cluster.put({ ...pod, status: { phase: 'Pending', containerStatuses } } as unknown as KubeObject);
  assert.match(
    (await told())?.message ?? '',
    /does not start: frpc: ImagePullBackOff: Back-off pulling image "frpc:9"$/,
  );
  cluster.put(tunnelPod({ uid }));
  assert.equal((await told())?.reason, 'TunnelUp');
});
