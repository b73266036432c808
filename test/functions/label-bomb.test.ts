import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceChanged } from '../../functions/service-changed.ts';
import { counted } from '../../packages/controller/cluster/counted.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Outcome } from '../../packages/controller/domain/plan.ts';
import { make, world } from '../../packages/controller/test/reconcile/claiming.ts';
import { type MemoryCluster, memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';

/** As many labels as a workload that is scaled has, of a form that Knudge could have written. */
const bomb = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`claim.frp.io/${index.toString(36)}`, 'held']));

const owner = (name: string) => ({ apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', name, controller: true });

const forged = (count: number, of = 'nothere', name = `frp-${of}-balanced`): KubeObject =>
  object('Service', name, {
    metadata: {
      labels: { ...bomb(count), 'knudge.dev/owner-uid': 'x' },
      ownerReferences: [{ ...owner(of), uid: 'x' }],
    },
  });

/** All that an event costs, with what it reconciles. */
async function costOf(cluster: MemoryCluster, hint: KubeObject): Promise<{ reads: number; lists: number }> {
  const { reader, counts } = counted(cluster);
  let reads = 0;
  const before = cluster.calls.length;
  const reconcile = async (ref: ObjectRef): Promise<Outcome> => {
    const outcome = await reconcileOn(cluster, ref);
    reads += outcome.reads;
    return outcome;
  };
  const change = { id: '1', verb: 'updated', ref: refOf(hint), hint } as const;
  const settled = (): Promise<void> => Promise.resolve();
  await serviceChanged(change, { reader, controllerNamespace: 'knudge', reconcile, settled });
  const asked = cluster.calls.slice(before);
  return {
    reads: reads + counts().reads,
    lists: asked.filter(({ verb, ref }) => verb === 'list' && ref.kind === 'Service').length,
  };
}

/** A service that scales a workload, which a label of its balanced Service says. */
const scaler = (name: string, workload = 'app') => {
  const backends = {
    discovery: 'auto',
    port: 8080,
    replicas: 1,
    workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: workload },
  } as const;
  return distributedService(name, { backends });
};

const balanced = (cluster: MemoryCluster, name: string) =>
  cluster.get({ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: `frp-${name}-balanced` });

/** Who is woken by an event about a Service. */
async function serviceEvent(cluster: MemoryCluster, hint: KubeObject): Promise<readonly string[]> {
  const woken: string[] = [];
  const reconcile = async (ref: ObjectRef): Promise<Outcome> => {
    woken.push(`${ref.namespace}/${ref.name}`);
    return reconcileOn(cluster, ref);
  };
  const change = { id: '1', verb: 'updated', ref: refOf(hint), hint } as const;
  const settled = (): Promise<void> => Promise.resolve();
  await serviceChanged(change, { reader: cluster, controllerNamespace: 'knudge', reconcile, settled });
  return woken.sort();
}

describe('the labels of an event about a Service are a hint', () => {
  for (const there of [true, false]) {
    it(`10,000 labels on a Service that is ${there ? '' : 'not '}there cost one read and no list`, async () => {
      const cluster = memoryCluster();
      const service = forged(10_000);
      if (there) cluster.put(service);
      assert.deepEqual(await costOf(cluster, service), { reads: 1, lists: 0 });
    });
  }

  it('labels of a Service whose owner is invented are not asked after', async () => {
    const cluster = memoryCluster();
    const service = forged(64);
    cluster.put(service);
    assert.deepEqual(await costOf(cluster, service), { reads: 2, lists: 0 });
  });

  it('labels of a Service that says to be of a service which is there, and is not, are not asked after', async () => {
    const cluster = world();
    await make(cluster, scaler('web'));
    const service = forged(64, 'web', 'mine');
    cluster.put(service);
    assert.deepEqual(await serviceEvent(cluster, service), ['shop/web']);
    const own = await reconcileOn(cluster, { ...refOf(scaler('web')) });
    assert.equal((await costOf(cluster, service)).reads, own.reads + 2);
  });

  it('of a Service that is there its own labels count, not those of the event', async () => {
    const cluster = world();
    await make(cluster, scaler('older'), scaler('younger'), scaler('other', 'another'));
    const [older, other] = [await balanced(cluster, 'older'), await balanced(cluster, 'other')];
    assert.ok(older && other);
    const hint = { ...older, metadata: { ...older.metadata, labels: { ...other.metadata.labels } } };
    assert.deepEqual(await serviceEvent(cluster, hint), ['shop/older', 'shop/younger']);
  });

  it('of a Service that is gone four are believed', async () => {
    const cluster = memoryCluster();
    assert.deepEqual(await costOf(cluster, forged(100)), { reads: 6, lists: 4 });
  });

  it('what others have written on a Service of ours is asked after in no other form than Knudge writes', async () => {
    const cluster = world();
    await make(cluster, scaler('web'));
    const service = await balanced(cluster, 'web');
    assert.ok(service);
    const strange = ['x-y', 'UPPER', 'abcdefghijklmn'].map((name) => [`claim.frp.io/${name}`, 'held'] as const);
    const labels = { ...service.metadata.labels, ...Object.fromEntries(strange), 'claim.frp.io/zz': 'mine' };
    cluster.put({ ...service, metadata: { ...service.metadata, labels } });
    const { reader } = counted(cluster);
    const before = cluster.calls.length;
    const reconcile = async (): Promise<Outcome> => ({ result: 'done', reads: 0, writes: 0 });
    const settled = (): Promise<void> => Promise.resolve();
    const change = { id: '1', verb: 'updated', ref: refOf(service), hint: service } as const;
    await serviceChanged(change, { reader, controllerNamespace: 'knudge', reconcile, settled });
    assert.equal(cluster.calls.slice(before).filter(({ verb }) => verb === 'list').length, 1);
  });

  it('of those who want the same the oldest are woken, 32 at most, and nobody whose Service is not the one of his name', async () => {
    const cluster = world();
    cluster.put(serverProfile());
    await make(cluster, scaler('web'));
    const service = await balanced(cluster, 'web');
    assert.ok(service);
    for (let index = 0; index < 40; index += 1) {
      const name = `s${String(index).padStart(2, '0')}`;
      const metadata = { labels: service.metadata.labels ?? {}, ownerReferences: [{ ...owner(name), uid: 'x' }] };
      cluster.put(object('Service', `frp-${name}-balanced`, { metadata }));
      cluster.put(
        object('Service', `mine-${name}`, {
          metadata: { ...metadata, ownerReferences: [{ ...owner(`m${name}`), uid: 'x' }] },
        }),
      );
    }
    const woken = await serviceEvent(cluster, service);
    assert.equal(woken.length, 32);
    assert.deepEqual([woken[0], woken.at(-1)], ['shop/s00', 'shop/web']);
  });
});
