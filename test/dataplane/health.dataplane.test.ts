import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp, type Server } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import type { BackendServer } from './world/backends.ts';
import { manual, type ServiceType, service } from './world/objects.ts';
import { spanOf, startTraffic, type Traffic } from './world/traffic.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const checkPort = 9090;
const interval = 1000;
const timeout = 500;
const timing = { interval: '1s', timeout: '500ms', failureThreshold: 2, successThreshold: 2 } as const;
/** What a loaded machine may add to each probe. */
const grace = 1500;

/** What answers the probes of one backend, beside what serves. */
interface Probed {
  /** Times of the probes so far, in milliseconds of performance.now(). */
  readonly probes: number[];
  /** What was asked: path and host of an http probe. */
  readonly asked: Set<string>;
  be(how: 'healthy' | 'sick' | 'hanging'): void;
}

async function startProbed(context: TestContext, type: 'http' | 'tcp', address: string): Promise<Probed> {
  const probes: number[] = [];
  const asked = new Set<string>();
  let how: Parameters<Probed['be']>[0] = 'healthy';
  const server: Server =
    type === 'tcp'
      ? createTcp((socket) => {
          probes.push(performance.now());
          socket.on('error', () => socket.destroy());
        })
      : createHttp((request, response) => {
          probes.push(performance.now());
          asked.add(`${String(request.url)} of ${String(request.headers.host)}`);
          if (how !== 'hanging') response.writeHead(how === 'healthy' ? 200 : 503).end();
        });
  const listen = (): void => void server.listen(checkPort, address);
  listen();
  await once(server, 'listening');
  context.after(() => {
    if ('closeAllConnections' in server) (server as unknown as { closeAllConnections(): void }).closeAllConnections();
    server.close();
  });
  return {
    probes,
    asked,
    be: (now) => {
      how = now;
      if (type !== 'tcp') return;
      if (now === 'healthy' && !server.listening) listen();
      if (now === 'sick') server.close();
    },
  };
}

interface Scene {
  readonly world: DataPlane;
  readonly servers: readonly BackendServer[];
  readonly probed: readonly Probed[];
  readonly traffic: Traffic;
}

/** Two backends whose health is asked at another port than the one that serves, under traffic. */
async function play(context: TestContext, type: ServiceType, check: 'http' | 'tcp'): Promise<Scene> {
  const world = await startWorld(context);
  const servers = await startServers(context, world, { type, names: ['a', 'b'] });
  const probed = await Promise.all(servers.map(({ address }) => startProbed(context, check, address)));
  const path = check === 'http' ? { path: '/healthz?deep=1' } : {};
  const healthCheck = { type: check, port: checkPort, ...timing, ...path };
  world.put(service({ type, backends: manual(servers), healthCheck }));
  await world.untilRunning('web');
  const ask = asking(world, type);
  await world.until('both answer', async () => new Set(await whoAnswers(ask, 8)).size === 2);
  const traffic = startTraffic(ask, { atOnce: 2, restMs: 10 });
  return { world, servers, probed, traffic };
}

const cases = [
  ['http', 'http'],
  ['http', 'tcp'],
  ['tcp', 'http'],
  ['tcp', 'tcp'],
  ['udp', 'tcp'],
] as const;

/** What a client gets where every backend is sick. */
const refusal = { http: '503 no healthy upstream', tcp: 'closed', udp: 'no answer' } as const;

describe('a health check', { skip, concurrency: 2 }, () => {
  for (const [type, check] of cases) {
    it(`of ${check} takes a backend of a ${type} service out after its threshold, and in again after the other`, async (context) => {
      const scene = await play(context, type, check);
      await outAndIn(context, scene);
      const { world, probed, traffic } = scene;
      const failed = await traffic.stop();
      assert.ok(failed.length <= (type === 'udp' ? traffic.seen.length / 100 : 0), failed.join('; '));
      const [, healthy] = probed;
      assertInterval(healthy?.probes ?? []);
      const paths = check === 'http' ? ['/healthz?deep=1 of web.shop'] : [];
      assert.deepEqual([...(healthy?.asked ?? [])], paths);

      for (const one of probed) one.be('sick');
      const ask = asking(world, type);
      const isRefused = async (): Promise<boolean> =>
        (await whoAnswers(ask, 2)).every((one) => one !== 'a' && one !== 'b');
      await world.until('nobody answers', isRefused);
      const refusals = new Set(await whoAnswers(ask, 2));
      context.diagnostic(`all are sick: ${[...refusals].join('; ')}`);
      assert.deepEqual([...refusals], [refusal[type]]);
    });
  }

  it('finds out a backend that hangs after threshold times interval and timeout', async (context) => {
    const { servers, probed, traffic } = await play(context, 'tcp', 'http');
    const began = performance.now();
    probed[0]?.be('hanging');
    const expected = timing.failureThreshold * (interval + timeout);
    await sleep(expected + grace);
    const { last } = spanOf(traffic.seen, servers[0]?.name ?? '', began);
    context.diagnostic(`out after ${last.toFixed(0)} ms`);
    assert.ok(last >= expected - interval - timeout && last <= expected + grace - 100, `after ${String(last)} ms`);
    assert.deepEqual(await traffic.stop(), []);
  });
});

/** The probes of a healthy backend are an interval apart. */
function assertInterval(probes: readonly number[]): void {
  const gaps = probes.slice(1).map((at, index) => at - (probes[index] ?? 0));
  const middle = gaps.toSorted((x, y) => x - y)[Math.floor(gaps.length / 2)] ?? 0;
  assert.ok(middle > interval * 0.9 && middle < interval * 1.5, `the middle of the gaps is ${String(middle)} ms`);
}

/** The first backend falls sick, and gets well. */
async function outAndIn(context: TestContext, { world, probed, traffic }: Scene): Promise<void> {
  const fellSick = performance.now();
  probed[0]?.be('sick');
  await sleep(timing.failureThreshold * interval + grace);
  const { last } = spanOf(traffic.seen, 'a', fellSick);
  context.diagnostic(`out after ${last.toFixed(0)} ms`);
  // One probe may come right after it fell sick; the second, an interval later, is the one that counts.
  assert.ok(last >= (timing.failureThreshold - 1) * interval - 300, `after ${String(last)} ms: too early`);
  assert.ok(last <= timing.failureThreshold * interval + grace, `after ${String(last)} ms: too late`);
  const gotWell = performance.now();
  probed[0]?.be('healthy');
  await world.until('it is in again', () => Number.isFinite(spanOf(traffic.seen, 'a', gotWell).first));
  const { first } = spanOf(traffic.seen, 'a', gotWell);
  context.diagnostic(`in again after ${first.toFixed(0)} ms`);
  assert.ok(first >= (timing.successThreshold - 1) * interval - 300, `after ${String(first)} ms: too early`);
}
