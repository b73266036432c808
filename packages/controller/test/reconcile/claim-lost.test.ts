import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { refOf } from '../../domain/kube-object.ts';
import {
  after,
  assertHas,
  at,
  claimEvent,
  claimOf,
  claimsTold,
  http,
  isHeld,
  isLost,
  make,
  tcp,
  world,
} from './claiming.ts';

const shop = http('shop', { domains: ['shop.eu.example.com'] });
const evil = (domain: string, name = 'evil') => http(name, { domains: [domain] }, 'evil');
const resync = { tries: true } as const;

/** Without a word, as where somebody took its finalizer away. */
function lose(cluster: MemoryCluster, service: DistributedService): void {
  cluster.put({ ...service, metadata: { ...service.metadata, finalizers: [] } });
  cluster.remove(refOf(service));
}

const above = ['*.eu.example.com', '*.example.com', '*.shop.eu.example.com'];

describe('a host or wildcard that keeps another from its own', () => {
  for (const domain of above) {
    it(`is taken from who is gone, at the next resync: ${domain}`, async () => {
      const cluster = world();
      await make(cluster, evil(domain), shop);
      await reconcileOn(cluster, refOf(shop), resync);
      await assertHas(cluster, 'shop', isLost);
      lose(cluster, evil(domain));
      await reconcileOn(cluster, refOf(shop));
      await assertHas(cluster, 'shop', isLost);
      await reconcileOn(cluster, refOf(shop), resync);
      await assertHas(cluster, 'shop', isHeld);
      assert.deepEqual(claimsTold(cluster), ['Held Host shop.eu.example.com by shop: shop']);
    });
  }

  it('is taken from a host below it in the same way, and only when each of them is gone', async () => {
    const cluster = world();
    const below = ['a', 'b', 'c'].map((name) => http(name, { domains: [`${name}.eu.example.com`] }));
    const wildcard = evil('*.eu.example.com');
    await make(cluster, ...below, wildcard);
    for (const one of below) {
      await reconcileOn(cluster, refOf(wildcard), resync);
      await assertHas(cluster, 'evil/evil', isLost);
      lose(cluster, one);
    }
    for (const _ of below) await reconcileOn(cluster, refOf(wildcard), resync);
    await assertHas(cluster, 'evil/evil', isHeld);
    assert.deepEqual(claimsTold(cluster), ['Held Host *.eu.example.com by evil: evil']);
  });

  it('stays with those who are there, when another rival is gone', async () => {
    const cluster = world();
    const [one, other] = [evil('*.eu.example.com'), evil('*.example.com', 'other')];
    await make(cluster, one, other, shop);
    for (const lost of [one, other]) {
      const again = world();
      await make(again, one, other, shop);
      lose(again, lost);
      for (let turn = 0; turn < 3; turn += 1) await reconcileOn(again, refOf(shop), resync);
      await assertHas(again, 'shop', isLost);
      const left = lost === one ? 'Held Host *.example.com by evil: other' : 'Held Host *.eu.example.com by evil: evil';
      assert.ok(claimsTold(again).includes(left), claimsTold(again).join('; '));
    }
  });

  it('is free when it was let go and its minute is over, also where nobody comes back to it', async () => {
    const cluster = world();
    await make(cluster, evil('*.eu.example.com'), shop);
    cluster.put(evil('evil.example.org'));
    await reconcileOn(cluster, at('evil', 'evil'), { now: after(100) });
    await reconcileOn(cluster, refOf(shop), { ...resync, now: after(159) });
    await assertHas(cluster, 'shop', isLost);
    await reconcileOn(cluster, refOf(shop), { ...resync, now: after(160) });
    await assertHas(cluster, 'shop', isHeld);
    await assertHas(cluster, 'evil/evil', isHeld);
  });

  it('is looked at by eight holders at a time, however many there are', async () => {
    const cluster = world();
    const many = Array.from({ length: 10 }, (_, index) =>
      http(`p${index}`, { domains: ['*.eu.example.com'], locations: [`/${index}`] }, 'evil'),
    );
    await make(cluster, ...many, shop);
    for (const one of many.slice(0, 9)) lose(cluster, one);
    for (let turn = 0; turn < 3; turn += 1) await reconcileOn(cluster, refOf(shop), resync);
    await assertHas(cluster, 'shop', isLost);
    assert.ok(claimsTold(cluster).some((told) => told.startsWith('Held Host *.eu.example.com by evil: p')));
    for (const one of many.slice(9)) lose(cluster, one);
    await reconcileOn(cluster, refOf(shop), resync);
    await assertHas(cluster, 'shop', isHeld);
  });
});

describe('what is free and has been waited for', () => {
  const inNamespace = (namespace: string): DistributedService => {
    const one = tcp('web', 7001);
    return { ...one, metadata: { ...one.metadata, namespace } };
  };
  const [first, second, third, last] = ['a', 'b', 'c', 'd'].map(inNamespace);

  async function waiting(cluster: MemoryCluster): Promise<void> {
    assert.ok(first && second && third && last);
    for (const [index, one] of [first, second, third].entries()) {
      cluster.put(one);
      await reconcileOn(cluster, refOf(one), { now: after(index) });
    }
  }

  for (const namespace of ['c', 'd']) {
    it(`is theirs who have waited longest, not of who comes first after the minute: ${namespace}`, async () => {
      const cluster = world();
      await waiting(cluster);
      assert.ok(first && last);
      cluster.put({ ...first, spec: { ...first.spec, expose: { remotePort: 7002 } } } as DistributedService);
      await reconcileOn(cluster, refOf(first), { now: after(100) });
      const released = claimOf(cluster, '7001');
      if (namespace === 'd') cluster.put(last);
      await reconcileOn(cluster, at('web', namespace), { ...resync, now: after(400) });
      await assertHas(cluster, `${namespace}/web`, isLost);
      assert.ok(!claimsTold(cluster).some((told) => told.startsWith('Released')));
      assert.deepEqual(
        await claimEvent(cluster, released),
        ['b/web', 'c/web', 'd/web'].slice(0, namespace === 'd' ? 3 : 2),
      );
      await assertHas(cluster, 'b/web', isHeld);
      await assertHas(cluster, `${namespace}/web`, isLost);
    });
  }

  it('is theirs too when its holder is gone without a word', async () => {
    const cluster = world();
    await waiting(cluster);
    assert.ok(first);
    const held = claimOf(cluster, '7001');
    lose(cluster, first);
    await reconcileOn(cluster, at('web', 'c'), resync);
    await assertHas(cluster, 'c/web', isLost);
    assert.deepEqual(await claimEvent(cluster, held), ['a/web', 'b/web', 'c/web']);
    await assertHas(cluster, 'b/web', isHeld);
  });

  it('is taken at once by who is first in line, or alone', async () => {
    const cluster = world();
    await waiting(cluster);
    assert.ok(first);
    lose(cluster, first);
    await reconcileOn(cluster, at('web', 'b'), resync);
    await assertHas(cluster, 'b/web', isHeld);
  });
});
