import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { fileSeenBy } from './pod/container.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import type { BackendServer } from './world/backends.ts';
import { holdTcp, isAlive } from './world/clients.ts';
import { fieldOf } from './world/cluster.ts';
import { ports } from './world/frp-server.ts';
import { manual, service, type Wish } from './world/objects.ts';
import { startStranger } from './world/stranger.ts';
import { type Seen, startTraffic } from './world/traffic.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;

interface Scene {
  readonly world: DataPlane;
  readonly servers: readonly BackendServer[];
  readonly wish: Wish;
  readonly made: KubeObject;
}

/** One tcp service with the first of two backends. */
async function play(context: TestContext): Promise<Scene> {
  const world = await startWorld(context);
  const servers = await startServers(context, world, { type: 'tcp', names: ['a', 'b'] });
  const wish: Wish = { type: 'tcp', backends: manual(servers.slice(0, 1)) };
  const made = world.put(service(wish));
  await world.untilRunning('web');
  const ask = asking(world, 'tcp');
  await world.until('it answers', async () => 'by' in (await ask()));
  return { world, servers, wish, made };
}

const hold = ({ network: { host } }: DataPlane) => holdTcp({ host, port: ports.tcp });

/** The longest time without an answer, in milliseconds. */
function longestGap(seen: readonly Seen[]): number {
  const good = seen.flatMap(({ at, answered }) => ('by' in answered ? [at] : [])).toSorted((a, b) => a - b);
  return Math.max(0, ...good.slice(1).map((at, index) => at - (good[index] ?? at)));
}

/** Milliseconds: a new Envoy, two probes and a kubelet, on a busy machine. */
const startOfPodMs = 5000;

/** How long nobody answers while an frpc with its backend beside it gives way to another: milliseconds. */
async function costOfBareFrpc(context: TestContext, { world, servers }: Scene): Promise<number> {
  const proxy = {
    name: 'bare',
    remotePort: ports.other,
    localIP: world.network.backend(0),
    localPort: servers[0]?.port ?? 0,
  };
  const ask = asking(world, 'tcp', ports.other);
  const first = startStranger(context, world, { proxy });
  await world.until('frpc alone answers', async () => 'by' in (await ask()));
  const traffic = startTraffic(ask);
  await sleep(200);
  first.child.kill('SIGTERM');
  await once(first.child, 'close');
  startStranger(context, world, { proxy });
  const before = traffic.seen.length;
  await world.until(
    'its successor answers',
    () => traffic.seen.slice(before).filter(({ answered }) => 'by' in answered).length > 20,
  );
  await traffic.stop();
  return longestGap(traffic.seen);
}

describe('a change of the spec', { skip }, () => {
  it('of the backends alone restarts nothing: the same Pod, and what is held lives on', async (context) => {
    const { world, servers, wish, made } = await play(context);
    const before = world.tunnel('web') ?? assert.fail();
    const held = await hold(world);
    const ask = asking(world, 'tcp');
    const traffic = startTraffic(ask);
    world.change(made, service({ ...wish, backends: manual(servers) }));
    await world.until('both answer', async () => new Set(await whoAnswers(ask, 4)).size === 2);
    world.change(made, service({ ...wish, backends: manual(servers.slice(1)) }));
    await world.until('the other answers alone', async () => (await whoAnswers(ask, 4)).every((by) => by === 'b'));
    assert.deepEqual(await traffic.stop(), []);
    const { uid, pod } = world.tunnel('web') ?? assert.fail();
    assert.equal(uid, before.uid);
    assert.deepEqual(
      [...pod.containers.values()].map(({ restarts }) => restarts),
      [0, 0],
    );
    assert.ok(
      'socket' in held && held.by === 'a' && (await isAlive(held.socket)),
      'held to the one that was taken out',
    );
    held.socket.destroy();
  });

  it('of security replaces the Pod, and costs hardly more than an frpc that is replaced costs without us', async (context) => {
    const scene = await play(context);
    const { world, wish, made } = scene;
    const before = world.tunnel('web') ?? assert.fail();
    const traffic = startTraffic(asking(world, 'tcp'));
    await sleep(200);
    world.change(made, service({ ...wish, mtls: { enabled: true } }));
    await replaced(world, 'web', before.uid);
    await sleep(500);
    await traffic.stop();
    const frpc = world.tunnel('web')?.pod.containers.get('frpc')?.container.process.pid;
    assert.ok(existsSync(fileSeenBy(frpc, '/etc/knudge/tls/tls.crt')), 'it has its certificate');
    const ours = longestGap(traffic.seen);
    const bare = await costOfBareFrpc(context, scene);
    context.diagnostic(`${ours.toFixed(0)} ms without an answer; of frpc alone ${bare.toFixed(0)} ms`);
    assert.ok(
      ours < bare + startOfPodMs,
      `${String(ours)} ms without an answer, where frpc alone has ${String(bare)} ms`,
    );
  });

  it('of the server profile replaces the Pod of every service that uses it, and of no other', async (context) => {
    const { world, wish } = await play(context);
    world.put(service({ ...wish, name: 'second', expose: { remotePort: ports.other } }));
    world.put(world.server.profile('of-others'));
    world.put(service({ ...wish, name: 'other', profile: 'of-others', expose: { remotePort: 7004 } }));
    for (const name of ['second', 'other']) await world.untilRunning(name);
    const uidOf = (name: string): string => world.tunnel(name)?.uid ?? '';
    const before = ['web', 'second', 'other'].map(uidOf);
    const profile = world.get('v1', 'ConfigMap', 'profile-default') ?? assert.fail();
    const data = fieldOf(profile, 'data') as Readonly<Record<string, string>>;
    world.change(profile, { data: { ...data, heartbeatInterval: '5' } });
    for (const [index, name] of ['web', 'second'].entries()) await replaced(world, name, before[index] ?? '');
    assert.equal(uidOf('other'), before[2]);
    const ask = asking(world, 'tcp');
    await world.until('it answers', async () => 'by' in (await ask()));
  });
});

describe('the end of a service', { skip }, () => {
  it('closes its way in, and what is held', async (context) => {
    const { world } = await play(context);
    const held = await hold(world);
    world.cluster.client.delete({
      apiVersion: 'frp.io/v1beta1',
      kind: 'DistributedService',
      namespace: 'shop',
      name: 'web',
    });
    const ask = asking(world, 'tcp');
    await world.until('nobody answers', async () => 'failed' in (await ask()));
    await world.until('it is gone', () => world.get('frp.io/v1beta1', 'DistributedService', 'web') === undefined);
    assert.ok('socket' in held && !(await isAlive(held.socket)));
    assert.equal(world.kubelet.running.size, 0);
    const left = world.cluster.client.all('shop').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(
      left.filter((name) => name.includes('frp-web')),
      [],
    );
  });
});

async function replaced(world: DataPlane, name: string, uid: string): Promise<void> {
  await world.until(`${name} has another Pod`, () => {
    const now = world.tunnel(name)?.uid;
    return now !== undefined && now !== uid;
  });
  await world.untilRunning(name);
}
