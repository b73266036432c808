import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refOf } from '../../../../packages/controller/domain/kube-object.ts';
import { at, http, make, tcp, world } from '../../../../packages/controller/test/reconcile/claiming.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import type { DistributedService } from '../../types.ts';
import { askAs } from './question.ts';

/** The answer of the gate to a client that has the token of the service and asks for just the proxy that its spec says now. */
function ask(cluster: MemoryCluster, name: string, namespace = 'shop') {
  return askAs('new-proxy', { cluster, ref: at(name, namespace), path: '/knudge/frps-default' });
}

const shop = http('shop', { domains: ['shop.example.com'] });
const domain = (name: string) => http('evil', { domains: [name] }, 'evil');
const modest = domain('evil.example.org');
const below = { subDomainHost: 'example.com' };

/** Changes that somebody of another namespace makes to the spec of a service that the gate lets in, and the status after the next pass. */
const thefts: readonly {
  readonly by: string;
  readonly from: DistributedService;
  readonly to: DistributedService;
  readonly profile?: Readonly<Record<string, string>>;
  readonly then?: string;
}[] = [
  { by: 'the very host of another', from: modest, to: domain('shop.example.com') },
  { by: 'a wildcard above the host of another', from: modest, to: domain('*.example.com') },
  { by: 'a wildcard below the host of another', from: modest, to: domain('*.shop.example.com') },
  {
    by: 'a subdomain that is the host of another',
    from: http('evil', { subdomain: 'evil' }, 'evil'),
    to: http('evil', { subdomain: 'shop' }, 'evil'),
    profile: below,
  },
  {
    by: 'a path of the host of another, below the domain of the server',
    from: http('evil', { subdomain: 'evil' }, 'evil'),
    to: http('evil', { subdomain: 'shop', locations: ['/login'] }, 'evil'),
    profile: below,
  },
  {
    by: 'a domain that the profile keeps for others',
    from: modest,
    to: domain('bank.example.com'),
    profile: { allowedDomains: 'evil: *.example.org\n*: *.example.com' },
  },
];

describe('the gate is asked for what the spec says by now, before the controller has looked at that spec,', () => {
  for (const { by, from, to, profile = {} } of thefts) {
    it(`and lets nobody in: ${by}`, async () => {
      const cluster = world(profile);
      await make(cluster, shop, from);
      assert.equal((await ask(cluster, 'evil', 'evil')).outcome, 'in');
      cluster.put(to);
      const { outcome, said } = await ask(cluster, 'evil', 'evil');
      assert.ok(outcome === 'not-held' || outcome === 'conflict', `${outcome} ${said}`);
      await reconcileOn(cluster, refOf(to));
      assert.equal((await ask(cluster, 'evil', 'evil')).outcome, 'conflict');
      assert.equal((await ask(cluster, 'shop')).outcome, 'in');
    });
  }

  it('be it a port that nobody has; and is let in as soon as it is held', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    cluster.put(tcp('web', 7002));
    const { outcome, said } = await ask(cluster, 'web');
    assert.equal(outcome, 'not-held');
    assert.match(said, /shop\/web does not hold all of this at the FRP server yet: try again in a moment/);
    await reconcileOn(cluster, at('web'));
    assert.equal((await ask(cluster, 'web')).outcome, 'in');
  });

  it('and not of what was its own a moment ago, when the spec says so again', async () => {
    const cluster = world(below);
    await make(cluster, http('web', { subdomain: 'web' }));
    cluster.put(http('web', { subdomain: 'other' }));
    let isOnItsWay = true;
    cluster.before = ({ verb, ref }) => {
      if (isOnItsWay && verb === 'status') isOnItsWay = false;
      else if (!isOnItsWay && ref.kind === 'Claim') throw new Error('the process dies');
    };
    await assert.rejects(reconcileOn(cluster, at('web')));
    cluster.before = undefined;
    cluster.put(http('web', { subdomain: 'web' }));
    assert.equal((await ask(cluster, 'web')).outcome, 'not-held');
    await reconcileOn(cluster, at('web'));
    assert.equal((await ask(cluster, 'web')).outcome, 'in');
  });

  it('and is let in where the spec changed in what takes nothing at the server', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    cluster.put(tcp('web', 7001, { loadBalancing: { algorithm: 'least-conn' } }));
    assert.equal((await ask(cluster, 'web')).outcome, 'in');
  });

  it('and a service at another server holds nothing here', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    const profile = serverProfile('default', { address: 'another.example.com' });
    cluster.put({ ...profile, metadata: { ...profile.metadata, namespace: 'shop', name: 'own' } });
    await reconcileOn(cluster, at('web'));
    assert.equal((await ask(cluster, 'web')).outcome, 'another-server');
  });
});
