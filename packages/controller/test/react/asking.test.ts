import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskTunnel } from '../../../../resources/distributed-service/tunnel/types.ts';
import { serverProfile, tcpSpec } from '../../../../test/build/objects.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { type Cluster, fieldOf, startCluster } from '../../../../test/dataplane/world/cluster.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const service = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;

async function until(what: string, ask: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!ask()) {
    if (Date.now() > deadline) throw new Error(`not within 10 s: ${what}`);
    await sleep(10);
  }
}

/** Until nothing has been handled for a while; three seconds at most. */
async function untilQuiet({ handled }: Cluster): Promise<void> {
  const deadline = Date.now() + 3000;
  let before = -1;
  while (before !== handled.events && Date.now() < deadline) {
    before = handled.events;
    await sleep(200);
  }
}

/** The functions on an embedded API, with a service whose tunnel has a Pod without a kubelet. */
async function startService(askTunnel: AskTunnel) {
  const cluster = startCluster({ askTunnel });
  const { client } = cluster;
  client.create(serverProfile());
  client.create({ ...service, metadata: { namespace: 'shop', name: 'web' }, spec: tcpSpec } as KubeObject);
  const podOf = () =>
    client.list({ apiVersion: 'v1', kind: 'Pod' }).find(({ metadata }) => metadata.namespace === 'shop');
  await until('the tunnel has a Pod', () => podOf() !== undefined);
  await untilQuiet(cluster);
  const told = (wish: Parameters<typeof tunnelPod>[0]): void => {
    const { status } = tunnelPod(wish) as KubeObject & { readonly status: object };
    client.updateStatus({ ...podOf(), status } as KubeObject);
  };
  const conditions = () =>
    fieldOf(client.get({ ...service, namespace: 'shop', name: 'web' }), 'status', 'conditions') as readonly {
      readonly type: string;
      readonly reason: string;
    }[];
  const reason = () => conditions().find(({ type }) => type === 'EndpointsAccepted')?.reason;
  return { cluster, told, reason };
}

test('the Pod of a tunnel that becomes ready is asked, and what it says is told', async (context) => {
  const asked: string[] = [];
  const { cluster, told, reason } = await startService(async ({ address }) => {
    asked.push(address);
    return { version: 'aa', total: 1, healthy: 1, refused: 1 };
  });
  context.after(cluster.close);
  assert.deepEqual([asked, reason()], [[], 'TunnelNotReady']);
  told({});
  await until('it is told', () => reason() === 'UpdateRejected');
  assert.deepEqual([...new Set(asked)], ['10.1.0.1']);
  assert.deepEqual(cluster.handled.failed, []);
});

test('a Pod that says something else each time does not keep us busy: it is asked once for each event from outside', async (context) => {
  let questions = 0;
  const { cluster, told, reason } = await startService(async () => {
    questions += 1;
    return { version: 'aa', total: 1, healthy: 1, refused: questions % 2 };
  });
  context.after(cluster.close);
  told({});
  await until('it is told', () => reason() !== 'TunnelNotReady');
  await untilQuiet(cluster);
  assert.ok(questions <= 2, String(questions));
});
