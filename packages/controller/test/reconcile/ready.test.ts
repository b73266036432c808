import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedServiceStatus } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, running, service, startTunnel, tunnel } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);

/** Every status that is written from now on, in its order. */
function statusesOf(cluster: MemoryCluster): readonly DistributedServiceStatus[] {
  const told: DistributedServiceStatus[] = [];
  cluster.after = async ({ verb }) => {
    if (verb !== 'status') return;
    const { status } = await look(cluster);
    if (status !== undefined) told.push(status);
  };
  return told;
}

const isTrue = ({ conditions = [] }: DistributedServiceStatus, type: string): boolean =>
  conditions.some((one) => one.type === type && one.status === 'True');

const exposing = (expose: object): KubeObject => ({ ...service, spec: { ...service.spec, expose } }) as KubeObject;

function noticesOf(cluster: MemoryCluster): readonly string[] {
  return cluster.calls.flatMap(({ notice }) => (notice === undefined ? [] : [notice.reason]));
}

describe('Ready', () => {
  it('is never said of a generation whose tunnel is not rolled out, not even by the pass that only tells what it wants', async () => {
    const cluster = await running();
    const told = statusesOf(cluster);
    cluster.put(exposing({ remotePort: 7002 }));
    await reconcileOn(cluster, ref);
    assert.ok(told.length >= 2, 'one pass tells what it wants, the next carries it out');
    for (const status of told) {
      assert.equal(isTrue(status, 'Ready'), false);
      assert.equal(status.state, 'Updating');
    }
    assert.deepEqual(
      told.map(({ observedGeneration }) => observedGeneration),
      [1, 2],
      'the generation is told by the pass that has carried it out',
    );
    await startTunnel(cluster);
    assert.ok(isTrue(await statusNow(cluster), 'Ready'));
    assert.ok(!noticesOf(cluster).includes('Repaired'), 'a change of the spec is nobody else’s');
  });

  it('stays untrue as long as the new Pod is not there, while an old one is available', async () => {
    const cluster = await running();
    cluster.put(exposing({ remotePort: 7003 }));
    await reconcileOn(cluster, ref);
    const live = await cluster.get(tunnel);
    const old = { observedGeneration: live?.metadata.generation, replicas: 1, availableReplicas: 1 };
    cluster.put({ ...live, status: old } as unknown as KubeObject);
    await reconcileOn(cluster, ref);
    const status = await statusNow(cluster);
    assert.deepEqual([status.state, isTrue(status, 'Ready'), isTrue(status, 'Reconciling')], ['Updating', false, true]);
    assert.ok(isTrue(status, 'TunnelAvailable'), 'what there is goes on serving');
  });

  it('is what Running says, and what is not Ready is either reconciling or stalled', async () => {
    const cluster = await running();
    const told = statusesOf(cluster);
    cluster.put(exposing({ remotePort: 7004 }));
    await reconcileOn(cluster, ref);
    await startTunnel(cluster);
    cluster.remove(refOf(backendPod('web-1', '')));
    await reconcileOn(cluster, ref);
    cluster.remove({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'frps-default' });
    await reconcileOn(cluster, ref);
    assert.deepEqual([...new Set(told.map(({ state }) => state))], ['Updating', 'Running', 'Failed']);
    for (const status of told) {
      assert.equal(isTrue(status, 'Ready'), status.state === 'Running');
      assert.equal(isTrue(status, 'Stalled'), status.state === 'Failed');
      assert.equal(isTrue(status, 'Reconciling'), status.state === 'Updating');
    }
  });

  it('comes back when somebody has paused the tunnel: the pause is taken away', async () => {
    const cluster = await running();
    const live = await cluster.get(tunnel);
    const { spec } = live as unknown as { readonly spec: object };
    cluster.put({ ...live, spec: { ...spec, paused: true } } as unknown as KubeObject);
    await reconcileOn(cluster, ref);
    const after = (await cluster.get(tunnel)) as unknown as { readonly spec: { readonly paused?: boolean } };
    assert.equal(after.spec.paused ?? false, false);
    assert.ok(noticesOf(cluster).includes('Repaired'), 'a pause is somebody else’s');
  });
});

describe('Repaired', () => {
  it('is not said of what Knudge changes for a backend more', async () => {
    const cluster = await running();
    cluster.put(backendPod('web-2', '10.0.0.2'));
    await reconcileOn(cluster, ref);
    assert.ok(!noticesOf(cluster).includes('Repaired'));
  });
});

describe('a state that somebody else wrote', () => {
  for (const state of ['Terminating', 'Hibernating'])
    it(`is gone on from as from the beginning: ${state}`, async () => {
      const cluster = await running(service.spec, { schemas: 'none' });
      const live = await look(cluster);
      cluster.put({ ...live, status: { ...live.status, state } } as unknown as KubeObject);
      await reconcileOn(cluster, ref);
      assert.equal((await statusNow(cluster)).state, 'Running');
      assert.equal((await reconcileOn(cluster, ref)).writes, 0);
    });
});

async function statusNow(cluster: MemoryCluster): Promise<DistributedServiceStatus> {
  return (await look(cluster)).status ?? assert.fail('there is no status');
}
