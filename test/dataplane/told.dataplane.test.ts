import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import { versionOf } from '../../resources/distributed-service/envoy/live-endpoints.ts';
import { liveVersion } from './pod/envoy-admin.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import { manual, service } from './world/objects.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const checkPort = 9090;
/** A machine that is busy is no sick backend. */
const timing = { interval: '2s', timeout: '1500ms', failureThreshold: 2, successThreshold: 1 };

/** Answers the health checks at some addresses, all of them in the same way. */
async function startChecked(context: TestContext, addresses: readonly string[]) {
  let status = 200;
  for (const address of addresses) {
    const server = createServer((_, response) => response.writeHead(status).end()).listen(checkPort, address);
    await once(server, 'listening');
    context.after(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  return (now: number): void => {
    status = now;
  };
}

function conditionOf({ status }: DataPlane, type: string): Condition | undefined {
  return (status('web')['conditions'] as readonly Condition[] | undefined)?.find((one) => one.type === type);
}

const reasonOf = (world: DataPlane, type: string): string | undefined => conditionOf(world, type)?.reason;

/** The version in the ConfigMap, once Envoy uses it and the status says so. */
async function untilLive(world: DataPlane): Promise<string> {
  const wanted = (): string => versionOf(world.get('v1', 'ConfigMap', 'frp-web-endpoints'));
  await world.until('the status says what is live', () => {
    const { status, message = '' } = conditionOf(world, 'EndpointsAccepted') ?? {};
    return status === 'True' && message.includes(wanted());
  });
  const { pod } = world.tunnel('web') ?? {};
  assert.ok(pod);
  assert.equal(await liveVersion(pod), wanted());
  return wanted();
}

describe('the status tells what Envoy knows', { skip, concurrency: 2 }, () => {
  for (const type of ['http', 'tcp'] as const) {
    it(`that all backends of a ${type} service are unhealthy, and that one is healthy again`, async (context) => {
      const world = await startWorld(context);
      const servers = await startServers(context, world, { type, names: ['a', 'b'] });
      const answer = await startChecked(
        context,
        servers.map(({ address }) => address),
      );
      const healthCheck = { type: 'http', path: '/', port: checkPort, ...timing };
      world.put(service({ type, backends: manual(servers), healthCheck }));
      await world.untilRunning('web');
      assert.equal(reasonOf(world, 'BackendsAvailable'), 'BackendsReady');
      const before = world.tunnel('web');
      answer(503);
      const began = performance.now();
      const isTold = (reason: string) => () => reasonOf(world, 'BackendsAvailable') === reason;
      await world.until('it is told', isTold('AllBackendsUnhealthy'));
      context.diagnostic(`told after ${(performance.now() - began).toFixed(0)} ms`);
      assert.equal(conditionOf(world, 'BackendsAvailable')?.message, 'None of 2 backends passes its health check');
      assert.equal(reasonOf(world, 'Ready'), 'AllBackendsUnhealthy');
      assert.equal(reasonOf(world, 'TunnelAvailable'), 'TunnelUp');
      const refused = await whoAnswers(asking(world, type), 2);
      assert.ok(refused.every((one) => one !== 'a' && one !== 'b'));
      answer(200);
      await world.until('it is taken back', isTold('BackendsReady'));
      await world.untilRunning('web');
      const after = world.tunnel('web');
      assert.equal(after?.uid, before?.uid, 'the same Pod');
      assert.deepEqual(
        [...(after?.pod.containers.values() ?? [])].map(({ restarts }) => restarts),
        [0, 0],
      );
    });
  }

  it('that all were unhealthy from the beginning', async (context) => {
    const world = await startWorld(context);
    const servers = await startServers(context, world, { type: 'http', names: ['a'] });
    const answer = await startChecked(
      context,
      servers.map(({ address }) => address),
    );
    answer(503);
    const healthCheck = { type: 'http', path: '/', port: checkPort, ...timing };
    world.put(service({ type: 'http', backends: manual(servers), healthCheck }));
    await world.until('it is told', () => reasonOf(world, 'BackendsAvailable') === 'AllBackendsUnhealthy');
    assert.equal(reasonOf(world, 'TunnelAvailable'), 'TunnelUp');
  });

  it('which endpoints are live, after each change of them', async (context) => {
    const world = await startWorld(context, { refresh: 'with-the-pod' });
    const [a, b] = await startServers(context, world, { type: 'tcp', names: ['a', 'b'] });
    assert.ok(a && b);
    const made = world.put(service({ type: 'tcp', backends: manual([a]) }));
    await world.untilRunning('web');
    const first = await untilLive(world);
    const { spec } = service({ type: 'tcp', backends: manual([a, b]) }) as unknown as { spec: object };
    world.change(made, { spec });
    await world.until('b is told of', () => world.status('web')['activeEndpoints'] === 2);
    assert.notEqual(await untilLive(world), first);
  });

  it('that Envoy refuses endpoints, and that it takes others', async (context) => {
    let isBroken = false;
    const damage = (file: string, text: string): string =>
      isBroken && file === 'eds.json' ? text.replace(/"port_value": \d+/, '"port_value": 70000') : text;
    const world = await startWorld(context, { refresh: 'with-the-pod', damage });
    const [a, b, c] = await startServers(context, world, { type: 'tcp', names: ['a', 'b', 'c'] });
    assert.ok(a && b && c);
    const backends = (...servers: (typeof a)[]): object => service({ type: 'tcp', backends: manual(servers) });
    const made = world.put(service({ type: 'tcp', backends: manual([a]) }));
    await world.untilRunning('web');
    const first = await untilLive(world);
    isBroken = true;
    world.change(made, { spec: (backends(a, b) as { spec: object }).spec });
    await world.until('it is told', () => reasonOf(world, 'EndpointsAccepted') === 'UpdateRejected');
    assert.equal(reasonOf(world, 'Ready'), 'UpdateRejected');
    const { pod } = world.tunnel('web') ?? {};
    assert.equal(pod && (await liveVersion(pod)), first);
    assert.deepEqual(await whoAnswers(asking(world, 'tcp'), 4), ['a', 'a', 'a', 'a'], 'what was there is served on');
    isBroken = false;
    world.change(made, { spec: (backends(a, b, c) as { spec: object }).spec });
    await world.until('others are told of', () => world.status('web')['activeEndpoints'] === 3);
    await untilLive(world);
    await world.untilRunning('web');
  });
});
