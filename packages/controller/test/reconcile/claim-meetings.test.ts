import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { refOf } from '../../domain/kube-object.ts';
import { assertHas, claimEvent, claimsIn, http, isHeld, isLost, verdict, world } from './claiming.ts';
import { type Meeting, type Met, meet } from './meeting.ts';

const shop = http('web', { domains: ['shop.example.com'] });
/** What a service of another namespace wants, of which it and `shop` can have one alone. */
const rivals = {
  'a wildcard above it': http('web', { domains: ['*.example.com'] }, 'evil'),
  'a wildcard below it': http('web', { domains: ['*.shop.example.com'] }, 'evil'),
  'a path of it': http('web', { domains: ['shop.example.com'], locations: ['/login'] }, 'evil'),
  'it among others': http('web', { domains: ['a.example.org', 'shop.example.com', '*.z.example.org'] }, 'evil'),
} as const;

type Pair = readonly [DistributedService, DistributedService];

/** How many have published a proxy, or may be let in with it: at no moment both. */
async function having(cluster: MemoryCluster): Promise<number> {
  const found = await Promise.all(['shop', 'evil'].map((namespace) => verdict(cluster, 'web', namespace)));
  const services = cluster.objects().filter(({ kind }) => kind === 'DistributedService');
  const told = services.filter((one) => (one as DistributedService).status?.exposureDigest !== undefined);
  return Math.max(
    told.length,
    found.reduce((sum, { proxies }) => sum + proxies, 0),
  );
}

/** Events of Claims, and then the resync, until nothing is written any more. */
async function settle(cluster: MemoryCluster, services: Pair): Promise<void> {
  for (const claim of claimsIn(cluster)) await claimEvent(cluster, claim);
  for (let round = 0; round < 6; round += 1) {
    let written = 0;
    for (const one of services) written += (await reconcileOn(cluster, refOf(one), { tries: true })).writes;
    if (written === 0) return;
  }
  assert.fail('no rest');
}

async function meetAt(pair: Pair, meeting: Omit<Meeting, 'look'>): Promise<Met> {
  const cluster = world();
  for (const one of pair) cluster.put(one);
  const where = JSON.stringify(meeting);
  const look = async (): Promise<void> => assert.ok((await having(cluster)) <= 1, `both have it: ${where}`);
  const met = await meet(cluster, pair, { ...meeting, look });
  if (!met.one) return met;
  await settle(cluster, pair);
  assert.equal(await having(cluster), 1, where);
  const held = claimsIn(cluster).filter(({ spec }) => spec.state === 'Held' && spec.value.endsWith('example.com'));
  assert.equal(new Set(held.map(({ spec }) => spec.namespace)).size, 1, where);
  const isShop = (await verdict(cluster, 'web', 'shop')).proxies === 1;
  await assertHas(cluster, isShop ? 'shop/web' : 'evil/web', isHeld);
  await assertHas(cluster, isShop ? 'evil/web' : 'shop/web', isLost);
  return met;
}

/** Each place where the one can stop. */
async function meetAnywhere(pair: Pair, dies: boolean): Promise<number> {
  let nth = 1;
  while ((await meetAt(pair, { nth, dies })).one) nth += 1;
  return nth - 1;
}

/** Each place where the one can stop, with each where the other can then. */
async function meetTwice(pair: Pair): Promise<number> {
  let meetings = 0;
  for (let nth = 1; (await meetAt(pair, { nth, dies: false })).one; nth += 1) {
    for (let mth = 1; (await meetAt(pair, { nth, mth, dies: false })).other; mth += 1) meetings += 1;
  }
  return meetings;
}

describe('a host of one namespace, and what another wants of it, at the same moment', () => {
  for (const [what, rival] of Object.entries(rivals)) {
    for (const dies of [false, true]) {
      const how = dies ? ', where one of them dies,' : '';
      it(`${what}: whichever call they meet at${how} never have both it, and one has it in the end`, async (t) => {
        const meetings = (await meetAnywhere([shop, rival], dies)) + (await meetAnywhere([rival, shop], dies));
        t.diagnostic(`${String(meetings)} meetings`);
        assert.ok(meetings > 10, String(meetings));
      });
    }
  }

  it('a wildcard above it: nor where each stops once, at any two calls', async (t) => {
    const rival = rivals['a wildcard above it'];
    const meetings = (await meetTwice([shop, rival])) + (await meetTwice([rival, shop]));
    t.diagnostic(`${String(meetings)} meetings`);
    assert.ok(meetings > 60, String(meetings));
  });
});
