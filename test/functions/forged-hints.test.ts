import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type ChangeStem, functions } from '../../functions/table.ts';
import { counted } from '../../packages/controller/cluster/counted.ts';
import type { Change, Verb } from '../../packages/controller/domain/change.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Outcome } from '../../packages/controller/domain/plan.ts';
import { type MemoryCluster, memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { changeStems } from '../build/stems.ts';
import { hintsOf, mostReads } from './forged.ts';

describe('an event about what is not there', () => {
  let cluster: MemoryCluster;
  /** Seven services at rest that use the shared profile. */
  before(async () => {
    cluster = memoryCluster();
    const profile = serverProfile();
    cluster.put({ ...profile, metadata: { ...profile.metadata, namespace: 'knudge' } });
    for (let at = 0; at < 7; at += 1) cluster.put(distributedService(`s${at}`, { expose: { remotePort: 7000 + at } }));
    for (let at = 0; at < 7; at += 1) await reconcileOn(cluster, refOf(distributedService(`s${at}`)));
  });

  async function costOf(stem: ChangeStem, verb: Verb, hint: KubeObject): Promise<number> {
    const { reader, counts } = counted(cluster);
    let reads = 0;
    const reconcile = async (ref: ObjectRef): Promise<Outcome> => {
      const outcome = await reconcileOn(cluster, ref);
      reads += outcome.reads;
      return outcome;
    };
    const settled = async (ref: ObjectRef): Promise<void> => void (await reader.get(ref));
    const change: Change = { id: '1', verb, ref: refOf(hint), hint };
    await functions[stem].handle(change, { reader, controllerNamespace: 'knudge', reconcile, settled });
    return reads + counts().reads;
  }

  for (const stem of changeStems) {
    it(`costs less than ${mostReads} reads, whatever it names: ${stem}`, async (t) => {
      const costs: number[] = [];
      for (const hint of hintsOf(stem)) {
        for (const verb of ['updated', 'deleted'] as const) costs.push(await costOf(stem, verb, hint));
      }
      const most = Math.max(...costs);
      t.diagnostic(`${stem}: ${most} reads at most`);
      assert.ok(most < mostReads, `${stem}: ${most} reads`);
    });
  }
});

describe('an event that asks for a service with 256 named hosts', () => {
  it(`costs less than ${mostReads} reads, whether they are there or not`, async () => {
    for (const count of [0, 256]) {
      const cluster = memoryCluster();
      cluster.put(serverProfile());
      const hosts = Array.from({ length: 256 }, (_, at) => `s${at}`);
      for (const name of hosts.slice(0, count))
        cluster.put(object('Service', name, { spec: { ports: [{ port: 80 }] } }));
      const endpoints = hosts.map((host) => ({ host, weight: 1 }));
      const backends = { discovery: 'manual', port: 80, replicas: 1, endpoints } as const;
      cluster.put(distributedService('web', { backends }));
      await reconcileOn(cluster, refOf(distributedService()));
      for (const tries of [false, true]) {
        const { reads } = await reconcileOn(cluster, refOf(distributedService()), { tries });
        assert.ok(reads < mostReads, `${count} hosts: ${reads} reads`);
      }
    }
  });
});

const made = '2026-01-01T00:00:00Z';

describe('a server profile that is gone', () => {
  it('concerns those whose status says that they use it, and those who have none that they can use', async () => {
    const cluster = memoryCluster();
    const valid = [
      { type: 'ConfigurationValid', status: 'True', reason: 'Valid', message: '', lastTransitionTime: made },
    ];
    for (const [name, status] of [
      ['mine', { serverProfile: 'shop/frps', conditions: valid }],
      ['other', { serverProfile: 'knudge/frps', conditions: valid }],
      ['spoilt', { serverProfile: 'knudge/frps', conditions: [{ ...valid[0], status: 'False' }] }],
      ['none', undefined],
    ] as const) {
      cluster.put({ ...distributedService(name), ...(status && { status }) } as KubeObject);
    }
    const found: string[] = [];
    const reconcile = async (ref: ObjectRef): Promise<Outcome> => {
      found.push(ref.name);
      return { result: 'done', reads: 0, writes: 0 };
    };
    const hint = object('ConfigMap', 'frps', { metadata: { labels: { 'frp.io/server-profile': 'default' } } });
    const change: Change = { id: '1', verb: 'deleted', ref: refOf(hint), hint };
    const context = { reader: cluster, controllerNamespace: 'knudge', reconcile, settled: async () => undefined };
    await functions['config-map-changed'].handle(change, context);
    assert.deepEqual(found.sort(), ['mine', 'none', 'spoilt']);
    // Somebody took the label away: for those who used it that is the same.
    cluster.put(object('ConfigMap', 'frps'));
    found.length = 0;
    await functions['config-map-changed'].handle(change, context);
    assert.deepEqual(found.sort(), ['mine', 'none', 'spoilt']);
  });
});
