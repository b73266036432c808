import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService, DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { distributedService } from '../build/objects.ts';
import { type Forge, type Gated, gated } from './gated.ts';
import { ask, type Running, until } from './programs.ts';

const refusal = 'no living service has this identity';

async function untilServed({ ports, frps }: Gated, frpc: Running): Promise<void> {
  await until('the service answers', async () => (await ask({ port: ports.remote }, '/')).body === 'hello', [
    frpc,
    frps,
  ]);
}

async function untilSaid(what: string, frpc: Running, { frps }: Gated): Promise<void> {
  await until(`frpc is told: ${what}`, () => frpc.said().includes(what), [frpc, frps]);
}

describe('frps of deploy/frps, with the gate as its plugin,', () => {
  it('lets a living service in with its certificate and token, in less than 50 ms of the gate', async (context) => {
    const world = await gated(context);
    await untilServed(world, world.login(world.copy('own')));
    // The first answers of a process are slower: what is warm are the next.
    for (let turn = 0; turn < 5; turn += 1) world.login(world.copy(`again-${String(turn)}`, () => ({ proxies: [] })));
    await until('five more logins', () => logins(world, 'in').length >= 6, [world.frps]);
    const warm = logins(world, 'in')
      .slice(1)
      .map(({ ms }) => Number(ms));
    context.diagnostic(`warm logins in ms: ${warm.join(', ')}`);
    assert.ok(Math.max(...warm) < 50, `${warm.join(', ')} ms`);
    assert.deepEqual(
      world.lines.filter(({ op }) => op === 'new-proxy').map(({ outcome }) => outcome),
      ['in'],
    );
    assert.deepEqual(
      world.lines.filter(({ op }) => op === 'ping'),
      [],
      'nobody asked for heartbeats',
    );
  });

  const nobodies: readonly [sentence: string, forge: Forge, said: string][] = [
    ["another service's name at the login", withMeta({ service: 'shop/api' }), refusal],
    ['the uid of a service that was here before', withMeta({ uid: 'old' }), refusal],
    ['no name at all', () => ({ metadatas: {} }), refusal],
    ['another token', () => ({ auth: { method: 'token', token: 'guess' } }), refusal],
    ['a user before the name of its proxy', () => ({ user: 'x' }), 'without user and clientID'],
    ["another's name for its proxy", withProxy({ name: 'shop.api' }), 'proxy_name "shop.api" is not that of shop/web'],
    ["another's port", withProxy({ remotePort: 20_099 }), 'remote_port 20099 is not that of shop/web'],
    ['a group', withProxy({ loadBalancer: { group: 'g', groupKey: 'k' } }), 'group is set'],
    [
      'another type',
      () => ({ proxies: [{ name: 'shop.web', type: 'http', localPort: 1, customDomains: ['api.example.com'] }] }),
      'proxy_type "http" is not that of shop/web',
    ],
  ];
  it(`turns away who is not what it says, or takes what is not its own: ${nobodies.map(([what]) => what).join('; ')}`, async (context) => {
    const world = await gated(context);
    const started = nobodies.map(
      ([, forge, said], turn) => [world.login(world.copy(`forged-${String(turn)}`, forge)), said] as const,
    );
    for (const [frpc, said] of started) await untilSaid(said, frpc, world);
    assert.equal((await ask({ port: world.ports.remote }, '/')).status, 0, 'nobody serves the port');
  });

  it("gives an http service its own domain, and not another's", async (context) => {
    const world = await gated(context, { spec: { serviceType: 'http', expose: { domains: ['web.example.com'] } } });
    const own = world.login(world.copy('own'));
    const to = { port: world.ports.http };
    await until('the domain answers', async () => (await ask(to, '/', { host: 'web.example.com' })).body === 'hello', [
      own,
      world.frps,
    ]);
    const other = world.login(world.copy('other', withProxy({ customDomains: ['bank.example.com'] })));
    await untilSaid('custom_domains ["bank.example.com"] is not that of shop/web', other, world);
    assert.equal((await ask(to, '/', { host: 'bank.example.com' })).status, 404);
  });

  it('gives nobody what is written into a spec and not held yet: not to a client of the tenant who asks first; and soon after that is held it is let in', async (context) => {
    const world = await gated(context, { spec: { serviceType: 'http', expose: { domains: ['web.example.org'] } } });
    const bank = distributedService(
      'bank',
      { serviceType: 'http', expose: { domains: ['bank.example.com'] } },
      { namespace: 'bank' },
    );
    await world.write(bank);
    const wish = async (domain: string): Promise<Running> => {
      const expose = { domains: [domain] };
      world.cluster.put(distributedService('web', { ...specOf(world.service), expose }));
      const config = world.copy(domain.replace('*', 'any'), withProxy({ customDomains: [domain] }));
      const frpc = world.login(config);
      await untilSaid('shop/web does not hold all of this at the FRP server yet', frpc, world);
      return frpc;
    };
    const to = { port: world.ports.http };
    for (const domain of ['*.example.com', '*.bank.example.com']) {
      const thief = await wish(domain);
      assert.equal((await ask(to, '/', { host: 'bank.example.com' })).status, 404, domain);
      thief.child.kill('SIGKILL');
    }
    const own = await wish('web.example.net');
    const began = performance.now();
    await world.write(
      distributedService('web', { ...specOf(world.service), expose: { domains: ['web.example.net'] } }),
    );
    // frpc asks again 30 to 33 seconds after it was refused.
    await sleep(20_000);
    await until('the domain answers', async () => (await ask(to, '/', { host: 'web.example.net' })).body === 'hello', [
      own,
      world.frps,
    ]);
    context.diagnostic(`let in ${((performance.now() - began) / 1000).toFixed(0)} s after it was refused`);
  });

  it('refuses a login with certificate and token stolen before the deletion, from when it begins', async (context) => {
    const world = await gated(context);
    const stolen = world.copy('stolen');
    const before = world.login(stolen);
    await untilServed(world, before);
    before.child.kill('SIGKILL');
    await until('its port is free', async () => (await ask({ port: world.ports.remote }, '/')).status === 0, [
      world.frps,
    ]);
    world.cluster.remove({ apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name: 'web' });
    await untilSaid('shop/web is being deleted', world.login(stolen), world);
    await world.deleteService();
    assert.deepEqual(
      world.cluster.objects().filter(({ metadata }) => metadata.namespace === 'shop' && metadata.name !== 'web-1'),
      [],
    );
    await untilSaid(refusal, world.login(stolen), world);
    world.cluster.put({ ...world.service, metadata: { name: 'web', namespace: 'shop' } } as KubeObject);
    await untilSaid(refusal, world.login(stolen), world);
    assert.equal((await ask({ port: world.ports.remote }, '/')).status, 0);
  });

  it('lets nobody new in while the gate is away, and what is in lives on', async (context) => {
    const world = await gated(context);
    const inside = world.login(world.copy('inside'));
    await untilServed(world, inside);
    await world.closeGate();
    const outside = world.login(world.copy('outside'));
    await untilSaid('send Login request to plugin error', outside, world);
    await sleep(3000);
    assert.equal((await ask({ port: world.ports.remote }, '/')).body, 'hello');
    assert.ok(!inside.said().includes('try to connect to server...\n'.repeat(2)));
    await world.openGate();
    await until('the newcomer is in', () => outside.said().includes('login to server success'), [outside, world.frps]);
  });

  it('lets nobody in whom the gate cannot look up', async (context) => {
    const world = await gated(context);
    world.cluster.before = () => {
      throw new Error('the API server is away');
    };
    await untilSaid('the gate cannot tell whether this is allowed', world.login(world.copy('own')), world);
  });

  for (const what of ['deleteService', 'deleteIdentity'] as const) {
    const of = what === 'deleteService' ? 'its deletion' : 'the deletion of its token';
    it(`ends a session within a heartbeat of ${of}, where the profile asks for heartbeats`, async (context) => {
      const world = await gated(context, { heartbeat: 1 });
      const frpc = world.login(world.copy('own'));
      await untilServed(world, frpc);
      await until('a heartbeat', () => world.lines.some(({ op, outcome }) => op === 'ping' && outcome === 'in'), [
        frpc,
      ]);
      await world[what]();
      await until('the port is closed', async () => (await ask({ port: world.ports.remote }, '/')).status === 0, [
        frpc,
        world.frps,
      ]);
      await untilSaid(refusal, frpc, world);
    });
  }
});

function specOf(service: KubeObject): DistributedServiceSpec {
  return (service as DistributedService).spec;
}

function logins({ lines }: Gated, outcome: string) {
  return lines.filter((line) => line['op'] === 'login' && line['outcome'] === outcome);
}

function withMeta(change: Readonly<Record<string, string>>): Forge {
  return ({ metadatas }) => ({ metadatas: { ...metadatas, ...change } });
}

function withProxy(change: Readonly<Record<string, unknown>>): Forge {
  return ({ proxies }) => ({ proxies: proxies.map((proxy) => ({ ...proxy, ...change })) });
}
