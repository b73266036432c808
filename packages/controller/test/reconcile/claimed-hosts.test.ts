import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { refOf } from '../../domain/kube-object.ts';
import {
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
  verdict,
  world,
} from './claiming.ts';

describe('what is told apart', () => {
  const apart: readonly [sentence: string, one: DistributedService, other: DistributedService][] = [
    ['a tcp and a udp port', tcp('a', 53), tcp('b', 53, { serviceType: 'udp' })],
    ['ports of two servers', tcp('a', 7001), tcp('b', 7001, { serverProfile: 'other' })],
    ['ports that the server chooses', distributedService('a', { expose: {} }), distributedService('b', { expose: {} })],
    [
      'paths of one domain, within a namespace,',
      http('a', { domains: ['x.example.com'], locations: ['/a'] }),
      http('b', { domains: ['x.example.com'] }),
    ],
    ['a domain and a subdomain', http('a', { domains: ['web.example.com'] }), http('b', { subdomain: 'web' })],
    ['a domain and one below it', http('a', { domains: ['example.com'] }), http('b', { domains: ['a.example.com'] })],
    ['a wildcard and a domain of its own', http('a', { domains: ['*.x.de'] }), http('b', { domains: ['shop.x.de'] })],
  ];
  for (const [sentence, one, other] of apart) {
    it(`${sentence} are not the same`, async () => {
      const cluster = world();
      await make(cluster, one, other);
      await assertHas(cluster, 'a', isHeld);
      await assertHas(cluster, 'b', isHeld);
    });
  }

  it('one domain of many is enough, and the same path', async () => {
    const cluster = world();
    const expose = { domains: ['y.example.com', 'x.example.com'], locations: ['/b', '/a'] };
    await make(cluster, http('a', expose), http('b', { domains: ['x.example.com'], locations: ['/a', '/c'] }));
    assert.match(
      (await verdict(cluster, 'b')).message ?? '',
      /^the domain x.example.com of the FRP server belongs to DistributedService a with path \/a:/,
    );
    assert.ok(claimsTold(cluster).includes('Held Host x.example.com by shop: a/a+/b'));
  });

  it('a path that a service waits for, and one that it wants instead and nobody has', async () => {
    const cluster = world();
    const on = (path: string) => ({ domains: ['x.example.com'], locations: [path] });
    await make(cluster, http('a', on('/a')), http('b', on('/a')));
    await assertHas(cluster, 'b', isLost);
    await make(cluster, http('b', on('/b')));
    await assertHas(cluster, 'b', isHeld);
    assert.deepEqual(claimsTold(cluster), ['Held Host x.example.com by shop: a/a, b/b']);
  });

  it('the same, after the API server has refused it once: the next event tries again', async () => {
    const cluster = world();
    const on = (path: string) => ({ domains: ['x.example.com'], locations: [path] });
    await make(cluster, http('a', on('/a')), http('b', on('/a')));
    cluster.before = ({ verb, ref }) => {
      if (verb === 'apply' && ref.kind === 'Claim') throw new KnudgeError('admission-denied', 'not now');
      return Promise.resolve();
    };
    await make(cluster, http('b', on('/b')));
    await assertHas(cluster, 'b', { reason: 'AdmissionDenied' });
    cluster.before = undefined;
    await reconcileOn(cluster, at('b'));
    await assertHas(cluster, 'b', isHeld);
  });

  it('a subdomain is a host of the domain of its server', async () => {
    const cluster = world({ subDomainHost: 'example.com' });
    await make(cluster, http('a', { subdomain: 'web' }, 'bank'), http('b', { domains: ['web.example.com'] }));
    await assertHas(cluster, 'b', isLost);
  });
});

describe('a host of another namespace', () => {
  const shop = http('shop', { domains: ['shop.eu.example.com'] });
  const takers: readonly [sentence: string, taker: DistributedService][] = [
    ['a longer path', http('evil', { domains: ['shop.eu.example.com'], locations: ['/'] }, 'evil')],
    ['a wildcard', http('evil', { domains: ['*.eu.example.com'] }, 'evil')],
    ['a wildcard of a shorter domain', http('evil', { domains: ['*.example.com'] }, 'evil')],
    ['a wildcard below it', http('evil', { domains: ['*.shop.eu.example.com'] }, 'evil')],
  ];
  for (const [sentence, taker] of takers) {
    it(`is not taken by ${sentence}, and given to it when it is free`, async () => {
      const cluster = world();
      await make(cluster, shop, taker);
      await assertHas(cluster, 'shop', isHeld);
      await assertHas(cluster, 'evil/evil', isLost);
      const claim = claimOf(cluster, 'shop.eu.example.com');
      cluster.remove(at('shop'));
      for (let steps = 0; steps < 4; steps += 1) {
        cluster.collectGarbage();
        await reconcileOn(cluster, at('shop'));
      }
      assert.deepEqual((await claimEvent(cluster, claim)).slice(-1), ['evil/evil']);
      await assertHas(cluster, 'evil/evil', isHeld);
    });

    it(`is not given away while somebody has ${sentence}`, async () => {
      const cluster = world();
      await make(cluster, taker, shop);
      await assertHas(cluster, 'evil/evil', isHeld);
      await assertHas(cluster, 'shop', isLost);
    });
  }

  it('is told apart from as many others as a spec can name, each with as many paths', async () => {
    const cluster = world();
    const many = (end: string, count: number) => Array.from({ length: count }, (_, index) => `${end}${index}`);
    const domains = [...many('a', 31).map((name) => `${name}.example.org`), 'shop.eu.example.com'];
    const locations = many('/p', 32);
    await make(cluster, http('many', { domains, locations }), http('evil', { ...shop.spec.expose, locations }, 'evil'));
    await assertHas(cluster, 'many', { reason: 'Valid' });
    await assertHas(cluster, 'evil/evil', isLost);
    assert.equal(claimsTold(cluster).filter((claim) => claim.startsWith('Held')).length, 32);
  });

  it('and a wildcard that come at the same moment never both have it', async () => {
    const cluster = world();
    const evil = http('evil', { domains: ['*.eu.example.com'] }, 'evil');
    cluster.put(shop);
    cluster.put(evil);
    let met = false;
    cluster.before = async ({ verb, ref }) => {
      if (met || verb !== 'create' || ref.kind !== 'Claim') return;
      met = true;
      await reconcileOn(cluster, refOf(evil));
    };
    await reconcileOn(cluster, refOf(shop));
    await assertHas(cluster, 'evil/evil', isHeld);
    await assertHas(cluster, 'shop', isLost);
    assert.deepEqual(claimsTold(cluster), [
      'Held Host *.eu.example.com by evil: evil',
      'Waiting Host *.eu.example.com by shop: shop',
    ]);
  });
});
