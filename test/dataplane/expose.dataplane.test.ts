import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import { conflictReason } from '../../resources/distributed-service/claims/reasons.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import { askOnce } from './world/clients.ts';
import { ports, serverName } from './world/frp-server.ts';
import { hostOf, manual, service } from './world/objects.ts';
import { startTraffic } from './world/traffic.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;

function configurationOf({ status }: DataPlane, name: string): Condition | undefined {
  const conditions = status(name)['conditions'] as readonly Condition[] | undefined;
  return conditions?.find(({ type }) => type === 'ConfigurationValid');
}

describe('what a service exposes', { skip }, () => {
  it('is every domain and the subdomain with each location, and nothing else', async (context) => {
    const world = await startWorld(context);
    const [a, b] = await startServers(context, world, { type: 'http', names: ['a', 'b'] });
    assert.ok(a && b);
    const domains = ['one.example.test', 'two.example.test'];
    const exposes = { web: { domains, subdomain: 'web', locations: ['/api', '/v1'] }, rest: { domains: [domains[0]] } };
    world.put(service({ type: 'http', backends: manual([a]), expose: exposes.web }));
    world.put(service({ name: 'rest', type: 'http', backends: manual([b]), expose: exposes.rest }));
    for (const name of ['web', 'rest']) await world.untilRunning(name);
    const ask = async (name: string, path: string): Promise<string> => {
      const answered = await askOnce.http({ host: world.network.host, port: ports.http, name, path });
      return 'by' in answered ? answered.by : answered.failed.slice(0, 3);
    };
    await world.until('both answer', async () => {
      const both = [await ask('one.example.test', '/api'), await ask('one.example.test', '/')];
      return both.join() === 'a,b';
    });
    const rows = [
      ['one.example.test', '/api/orders?page=2', 'a'],
      ['one.example.test', '/v1', 'a'],
      ['two.example.test', '/v1/orders', 'a'],
      [`web.${serverName}`, '/api', 'a'],
      ['ONE.example.test', '/api', 'a'],
      ['one.example.test', '/other', 'b'],
      ['two.example.test', '/other', '404'],
      [`web.${serverName}`, '/', '404'],
      ['three.example.test', '/api', '404'],
      [`rest.${serverName}`, '/', '404'],
    ] as const;
    for (const [name, path, by] of rows) assert.equal(await ask(name, path), by, name + path);
  });
});

describe('of two services that want the same', { skip, concurrency: 2 }, () => {
  for (const [type, what, expose] of [
    ['http', `domain ${hostOf('web')}`, { domains: [hostOf('web')] }],
    ['tcp', `tcp port ${String(ports.tcp)}`, { remotePort: ports.tcp }],
    ['udp', `udp port ${String(ports.udp)}`, { remotePort: ports.udp }],
  ] as const) {
    it(`the first keeps it, and the other has it when it is free: ${what}`, async (context) => {
      const world = await startWorld(context);
      const [a, b] = await startServers(context, world, { type, names: ['a', 'b'] });
      assert.ok(a && b);
      const first = world.put(service({ type, backends: manual([a]), expose }));
      await world.untilRunning('web');
      const ask = asking(world, type);
      await world.until('it answers', async () => 'by' in (await ask()));
      const traffic = startTraffic(ask, { atOnce: 2 });
      context.after(() => traffic.stop());
      world.put(service({ name: 'second', type, backends: manual([b]), expose }));
      await world.until('the other says why', () => configurationOf(world, 'second')?.reason === conflictReason);
      const message = configurationOf(world, 'second')?.message ?? '';
      assert.ok(message.includes(what) && message.includes('belongs to DistributedService web:'), message);
      await sleep(1000);
      assert.deepEqual(await traffic.stop(), []);
      assert.deepEqual([...new Set(await whoAnswers(ask, 10))], ['a']);
      world.cluster.client.delete({
        apiVersion: first.apiVersion,
        kind: first.kind,
        namespace: 'shop',
        name: 'web',
      });
      await world.until('the other answers', async () => (await whoAnswers(ask, 3)).join() === 'b,b,b');
      await world.untilRunning('second');
      assert.equal(configurationOf(world, 'second')?.status, 'True');
    });
  }
});
