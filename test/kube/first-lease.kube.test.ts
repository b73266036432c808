import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, createCluster } from '../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import { leaseBy } from '../../packages/source/lease.ts';
import { apiFrom, testKubeconfig } from './api.ts';

const namespace = `first-lease-${process.pid}`;
const api = apiFrom(testKubeconfig());
/** Each with connections of its own, as instances have them. */
const instances: Cluster[] = [];
const rounds = 20;
const options = { version: 'test', instance: 'test', onLostNotice: () => undefined };
let close = (): void => undefined;

before(async () => {
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  for (let count = 0; count < 4; count += 1) instances.push(createCluster({ access, ...options }));
  await api('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
});
after(async () => {
  close();
  for (const one of instances) one.close();
  await api('DELETE', `/api/v1/namespaces/${namespace}`);
});

/** All have read that there is no Lease; each tries to have it, some later than others. */
async function winners(tries: readonly ((after: number) => Promise<unknown>)[], spreadMs: number): Promise<number> {
  const ended = await Promise.allSettled(tries.map(async (one, index) => one(await sleep(index * spreadMs, index))));
  for (const end of ended) if (end.status === 'rejected') assert.equal(asKnudgeError(end.reason).code, 'conflict');
  return ended.filter(({ status }) => status === 'fulfilled').length;
}

for (const [what, take] of [
  [
    'a round of the resync',
    async (cluster: Cluster, name: string, index: number) => {
      const now = Date.now();
      const round = { id: `round-${index}`, key: `key-${index}`, before: '', began: now, seen: now, step: 0, tries: 1 };
      await cluster.keepRound({ namespace, name }, round, undefined);
    },
  ],
  [
    'the turn of a restart',
    (cluster: Cluster, name: string, index: number) => cluster.take({ namespace, name }, `event-${index}`, undefined),
  ],
] as const) {
  test(`of four that have found no Lease one has ${what}, at once or one after the other`, async () => {
    for (let count = 0; count < rounds; count += 1) {
      const name = `${what.replaceAll(' ', '-')}-${count}`;
      const tries = instances.map((cluster, index) => () => take(cluster, name, index));
      assert.equal(await winners(tries, count * 2), 1, `${count * 2} ms apart`);
    }
  });
}

test('of two sources that have found no Lease one holds it', async () => {
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const transport = createTransport({ access, version: 'test' });
  close = transport.close;
  for (let count = 0; count < rounds; count += 1) {
    const lease = leaseBy(
      transport,
      { namespace, name: `source-${count}` },
      { durationSeconds: 5, now: () => new Date() },
    );
    const tries = ['one', 'other'].map((holder) => () => lease.make(holder));
    assert.equal(await winners(tries, count * 2), 1, `${count * 2} ms apart`);
  }
});
