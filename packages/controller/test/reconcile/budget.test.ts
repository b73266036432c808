import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import { distributedService as kind } from '../../../../resources/managed/kinds.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, distributedService, object } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { counted } from '../../cluster/counted.ts';
import type { Resource } from '../../decide/resource.ts';
import { refOf } from '../../domain/kube-object.ts';
import { observe } from '../../reconcile/observe.ts';
import { after, claimsTold, http, make, world } from './claiming.ts';

const many = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, at) => make(at));

describe('the budget of a reconcile', () => {
  it('is enough for the largest spec, amid as many rivals as there may be', async () => {
    const cluster = world();
    const domains = many(32, (at) => `a${at}.example.com`);
    const locations = ['/', '/a'];
    await make(cluster, ...many(40, (at) => `rival${at}`).map((name) => http(name, { domains, locations }, name)));
    cluster.put(http('web', { domains, locations }));
    for (const tries of [false, true]) {
      const { result } = await reconcileOn(cluster, refOf(http('web', {})), { tries });
      assert.equal(result, 'done');
    }
  });

  it('is enough for 256 named backends, which cost one list', async () => {
    const cluster = world();
    const hosts = many(256, (at) => `s${at}`);
    for (const name of [...hosts, 'another']) cluster.put(object('Service', name));
    const endpoints = hosts.map((host) => ({ host, weight: 1 }));
    const backends = { discovery: 'manual', port: 80, replicas: 1, endpoints } as const;
    cluster.put(distributedService('web', { backends }));
    const { result } = await reconcileOn(cluster, refOf(distributedService()));
    assert.equal(result, 'done');
    const again = await reconcileOn(cluster, refOf(distributedService()), { tries: true });
    assert.ok(again.reads < 20, String(again.reads));
    const { status } = (await cluster.get(refOf(distributedService()))) as DistributedService;
    assert.equal(status?.endpoints?.length, 256, 'each of them, and no other');
    assert.equal(new Set(status?.endpoints?.map(({ address }) => address)).size, 256);
  });

  it('is that of the spec as it is read: what others have made does not add to it, and is read no further', async () => {
    const cluster = memoryCluster();
    const service = distributedService();
    cluster.put(service);
    for (let at = 0; at < 500; at += 1) cluster.put(backendPod(`p${at}`, '10.0.0.1'));
    const pods = { what: 'list', apiVersion: 'v1', kind: 'Pod', namespace: 'shop', labelSelector: '' } as const;
    /** It reads what a list has found one by one: as a label of an event was followed once. */
    const curious: Pick<Resource, 'apiVersion' | 'kind' | 'children' | 'inputs' | 'cost'> = {
      ...kind,
      children: () => new Map(),
      inputs: (_, { found }) => [
        { name: 'pods', query: pods },
        ...(found.get('pods') ?? []).map((pod) => ({
          name: 'each',
          query: { what: 'object', ref: refOf(pod) } as const,
        })),
      ],
      cost: () => ({ reads: 50, writes: 0 }),
    };
    const within = { about: 'this', milliseconds: 1, elapsed: () => 0, budget: { reads: 0, writes: 0, bytes: 0 } };
    const { reader, counts, allow } = counted(cluster, within);
    const asking = { controllerNamespace: 'knudge', hash: String, tries: false };
    await assert.rejects(observe(curious as Resource, refOf(service), { ...asking, reader, allow }), {
      code: 'throttled',
      retryAfterSeconds: 60,
    });
    assert.equal(counts().reads, 52);
  });

  it('ends a pass that has more to give back than one may write, and the next one goes on', async () => {
    const cluster = world();
    for (let at = 0; at < 10; at += 1)
      await make(cluster, http('web', { domains: many(32, (index) => `a${at}-${index}.example.com`) }));
    const released = () => claimsTold(cluster).filter((claim) => claim.startsWith('Released')).length;
    assert.equal(released(), 9 * 32);
    const web = refOf(http('web', {}));
    const late = { tries: true, now: after(100_000) };
    await assert.rejects(reconcileOn(cluster, web, late), { code: 'throttled', retryAfterSeconds: 60 });
    const left = released();
    assert.ok(left > 0 && left <= 9 * 32 - 128, `${left} are left`);
    const told = await reconcileOn(cluster, web, late);
    assert.deepEqual([told.result, released()], ['done', 0]);
  });
});
