import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Forward, forwardService } from '../../../../cli/cluster/port-forward.ts';
import { loadImages } from '../../../../test/dataplane/node/images.ts';
import { backend, isReady, type ToldPod } from '../../../../test/dataplane/node/objects.ts';
import { type Arena, openArena } from '../../../../test/kube/arena.ts';
import { until } from '../../../../test/kube/until.ts';
import { outsideCluster } from '../../cluster/outside.ts';
import { createTransport } from '../../cluster/transport.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const kubeconfig = process.env['KNUDGE_TEST_KUBECONFIG'] ?? '';
const pod = backend('answers');

let arena: Arena;
let forward: Forward;

before(async () => {
  const node = process.env['KNUDGE_TEST_NODE'];
  assert.ok(node, 'these tests need a real node: npm run test:node');
  await loadImages(node);
  arena = await openArena({ stems: [], env: {}, withSource: false });
  await arena.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await arena.put({ ...pod, metadata: { ...pod.metadata, labels: { app: 'answers' } } });
  const ports = [
    { name: 'web', port: 80, targetPort: 'http' },
    { name: 'closed', port: 81, targetPort: 8081 },
  ];
  const spec = { selector: { app: 'answers' }, ports };
  await arena.put({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'answers' },
    spec,
  } as KubeObject);
  await until('the Pod is ready', async () => {
    const pods = (await arena.list('v1', 'Pod', 'shop')) as readonly ToldPod[];
    return pods.some((one) => one.metadata.name === 'answers' && isReady(one)) || pods;
  });
  forward = await open(80);
});

after(async () => {
  await forward.close();
  await arena.remove(pod);
  await arena.close();
});

async function open(port: number): Promise<Forward> {
  const transport = createTransport({ access: await outsideCluster({ kubeconfig }), version: 'test', timeoutMs: 5000 });
  try {
    return await forwardService({ kubeconfig, transport, namespace: 'shop', service: 'answers', port });
  } finally {
    transport.close();
  }
}

test('a Pod answers through a real kubelet, one request after the other and many at once', async () => {
  const ask = async (): Promise<string> => (await fetch(forward.url, { headers: { connection: 'close' } })).text();
  assert.equal(await ask(), 'answers');
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, ask)), Array(20).fill('answers'));
  assert.equal(forward.said(), undefined);
});

test('where nothing listens in the Pod, the connection ends and the reason is told', async () => {
  const closed = await open(81);
  try {
    await assert.rejects(fetch(closed.url));
    await until('it is told', async () => /8081/.test(closed.said() ?? '') || closed.said());
  } finally {
    await closed.close();
  }
});
