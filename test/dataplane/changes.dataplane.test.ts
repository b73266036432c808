import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { labels } from '../../resources/distributed-service/names.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import type { BackendServer } from './world/backends.ts';
import { type Held, holdTcp, isAlive } from './world/clients.ts';
import { ports } from './world/frp-server.ts';
import { type ServiceType, service } from './world/objects.ts';
import { backendPods } from './world/pods.ts';
import { spanOf, startTraffic } from './world/traffic.ts';
import { type DataPlane, startWorld, type WorldParts } from './world/world.ts';

const skip = whyNoPods() ?? false;
/** From the write in the API until no new connection follows what was true before. */
const inEffectMs = 1000;

const discoveries = {
  auto: { discovery: 'auto', port: 8080 },
  selector: { discovery: 'selector', port: 8080, selector: { matchLabels: { [labels.service]: 'web' } } },
} as const;

interface Case extends WorldParts {
  readonly type: ServiceType;
  readonly backends: (typeof discoveries)[keyof typeof discoveries];
}

describe('a change of the backends, under traffic', { skip }, () => {
  for (const [how, backends] of Object.entries(discoveries)) {
    for (const type of ['http', 'tcp', 'udp'] as const) {
      it(`is in effect within ${String(inEffectMs)} ms, and nothing fails: ${how}, ${type}`, (context) =>
        tryChanges(context, { type, backends }));
    }
  }
});

/** A backend comes, falls out, comes back, is drained and goes; what is held to the others lives on. */
async function tryChanges(context: TestContext, { type, backends, ...parts }: Case): Promise<void> {
  const world = await startWorld(context, parts);
  const servers = await startServers(context, world, { type, names: ['a', 'b', 'c'] });
  const [a, b, c] = servers as readonly [BackendServer, BackendServer, BackendServer];
  const pods = backendPods(world);
  for (const server of [a, b]) pods.add(server);
  world.put(service({ type, backends }));
  await world.untilRunning('web');
  const ask = asking(world, type);
  await world.until('both answer', async () => new Set(await whoAnswers(ask, 4)).size === 2);
  const { uid } = world.tunnel('web') ?? assert.fail();
  const held = type === 'tcp' ? await holdTwo(world) : [];
  const traffic = startTraffic(ask);

  /** Changes something, and says when a backend was first or last asked after that. */
  async function after(change: () => void, { name }: BackendServer, what: 'first' | 'last'): Promise<void> {
    const at = performance.now();
    change();
    await sleep(inEffectMs * 1.5);
    const span = spanOf(traffic.seen, name, at);
    context.diagnostic(`${what} asked of ${name} ${span[what].toFixed(0)} ms after`);
    assert.ok(span[what] <= inEffectMs, `${what} after ${String(span[what])} ms`);
  }
  await after(() => pods.add(c), c, 'first');
  await after(() => pods.ready(a, false), a, 'last');
  await after(() => pods.ready(a, true), a, 'first');
  await after(() => pods.drain(b), b, 'last');
  assert.deepEqual(await alive(held), ['a', 'b'].slice(0, held.length), 'also to the one that is drained');
  await b.stop();
  pods.remove(b);
  await after(() => undefined, b, 'last');
  assert.deepEqual(await alive(held), ['a'].slice(0, held.length));
  for (const one of held) if ('socket' in one) one.socket.destroy();
  const failed = await traffic.stop();
  context.diagnostic(`${String(traffic.seen.length)} new connections`);
  // A datagram may be lost for reasons of its own.
  assert.ok(failed.length <= (type === 'udp' ? traffic.seen.length / 100 : 0), failed.join('; '));
  assert.equal(world.tunnel('web')?.uid, uid, 'the same Pod');
}

/** One connection to each of two backends, that of the first name first. */
async function holdTwo({ network: { host } }: DataPlane): Promise<readonly Held[]> {
  const to = { host, port: ports.tcp };
  const both = [await holdTcp(to), await holdTcp(to)];
  return both.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

function nameOf(held: Held): string {
  return 'by' in held ? held.by : held.failed;
}

/** Those at the other end of the connections that still carry bytes. */
async function alive(held: readonly Held[]): Promise<readonly string[]> {
  const all = await Promise.all(
    held.map(async (one) => ('socket' in one && (await isAlive(one.socket)) ? one.by : '')),
  );
  return all.filter((name) => name !== '');
}
