import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { conflictReason } from '../../resources/distributed-service/claims/reasons.ts';
import { wishesFor } from '../security/wishes.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers } from './world/asking.ts';
import { askOnce } from './world/clients.ts';
import { ports } from './world/frp-server.ts';
import { hostOf, manual, service } from './world/objects.ts';
import { startTraffic } from './world/traffic.ts';
import { startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const host = hostOf('web');
/** The other namespace that this world has; what is shared lies there too. */
const elsewhere = 'knudge';
const inNamespace = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

const { paths, wildcards } = wishesFor(host);
const wishes = { ...paths, ...wildcards };

describe('1: the host of a service, at the FRP server that it shares with other namespaces,', { skip }, () => {
  it(`is not had by ${Object.keys(wishes).join(', ')}: each request goes where it went, also while its tunnel is away`, async (context) => {
    const world = await startWorld(context);
    const [a, b] = await startServers(context, world, { type: 'http', names: ['a', 'b'] });
    assert.ok(a && b);
    world.put(inNamespace(world.server.profile('shared'), elsewhere));
    world.put(inNamespace(world.server.tokenSecret, elsewhere));
    const shared = { type: 'http', profile: 'shared' } as const;
    world.put(service({ ...shared, backends: manual([a]) }));
    await world.untilRunning('web');
    const ask = asking(world, 'http');
    await world.until('it answers', async () => 'by' in (await ask()));
    const traffic = startTraffic(ask, { atOnce: 2 });
    context.after(() => traffic.stop());
    for (const [index, expose] of Object.values(wishes).entries()) {
      world.put(
        inNamespace(service({ ...shared, name: `thief-${String(index)}`, backends: manual([b]), expose }), elsewhere),
      );
    }
    const conditionOf = (name: string): Condition | undefined => {
      const found = world.cluster.client.get({
        apiVersion: 'frp.io/v1beta1',
        kind: 'DistributedService',
        namespace: elsewhere,
        name,
      });
      const { status } = found as KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };
      return status?.conditions?.find(({ type }) => type === 'ConfigurationValid');
    };
    const thieves = Object.keys(wishes).map((_, index) => `thief-${String(index)}`);
    await world.until('each is told', () => thieves.every((name) => conditionOf(name)?.reason === conflictReason));
    for (const name of thieves) assert.match(conditionOf(name)?.message ?? '', /belongs to another namespace:/);
    const by = async (path: string): Promise<string> => {
      const answered = await askOnce.http({ host: world.network.host, port: ports.http, name: host, path });
      return 'by' in answered ? answered.by : 'nobody';
    };
    for (const path of ['/', '/login', '/login/here']) assert.equal(await by(path), 'a', path);
    await sleep(1000);
    assert.deepEqual(await traffic.stop(), []);
    // While its client starts anew the server has no proxy for the host, and a client that waits for that must not get it.
    const pid = world.tunnel('web')?.pod.containers.get('frpc')?.container.process.pid;
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    const meanwhile: string[] = [];
    await world.until('its client has been away and is back', async () => {
      meanwhile.push(await by('/login'));
      return meanwhile.includes('nobody') && meanwhile.at(-1) === 'a';
    });
    assert.deepEqual([...new Set(meanwhile)].sort(), ['a', 'nobody']);
  });
});
