import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import * as cast from '../scenarios/cast.ts';
import { place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const names = ['web', 'api'] as const;
const parents = names.map((name) => cast.webRef(place, name));

const collisions: Readonly<Record<string, Partial<DistributedServiceSpec>>> = {
  'one remotePort': { expose: { remotePort: 7001 } },
  'one domain': { serviceType: 'http', expose: { domains: ['shop.example.com'] } },
};

for (const [what, spec] of Object.entries(collisions)) {
  const given = () => [
    cast.profile(place),
    ...names.flatMap((name) => [cast.backend(place, `${name}-1`, name), cast.web(place, spec, { name })]),
  ];

  test(`X13: two services that want ${what} leave each other’s children alone, and neither flaps`, async () => {
    await inWorld({ given, parents }, async (world) => {
      const { resync, writes, see, rest } = world;
      const before = writes().length;
      for (let ticks = 0; ticks < 3; ticks += 1) await resync();
      assert.deepEqual(writes().slice(before), []);
      for (const name of names) {
        const tunnel = see(cast.refIn(place, 'apps/v1 Deployment', `frp-${name}`));
        assert.equal(tunnel.metadata.ownerReferences?.[0]?.uid, see(cast.webRef(place, name)).metadata.uid);
      }
      await rest();
    });
  });

  test(`X13: of two services that want ${what} the one that stays goes on when the other is deleted`, async () => {
    for (const gone of names) {
      await inWorld({ given, parents }, async ({ user, find, settle, state, rest }) => {
        await user.delete(cast.webRef(place, gone));
        await settle();
        assert.equal(find(cast.webRef(place, gone)), undefined);
        assert.equal(state(gone === 'web' ? 'api' : 'web'), 'Running');
        await rest();
      });
    }
  });
}

/** The Pod of the tunnel: ready or not, as its two programs run or not. */
async function setTunnel({ user, simulation }: World, isUp: boolean): Promise<void> {
  const pods = simulation.cluster.api.client
    .all()
    .filter(({ kind, metadata }) => kind === 'Pod' && metadata.labels?.['frp.io/tunnel'] === 'web');
  assert.equal(pods.length, 1);
  for (const { metadata } of pods) {
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: isUp ? 'True' : 'False' }));
    const state = isUp ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } };
    const containerStatuses = ['frpc', 'envoy'].map((name) => ({ name, ready: isUp, state }));
    await user.patch(cast.refIn(place, 'Pod', metadata.name), { status: { conditions, containerStatuses } });
  }
}

test('X13: a tunnel that cannot come up is told in the status, costs nothing while it lasts, and ends by itself', async () => {
  await inWorld({ given: cast.withEveryChild }, async (world) => {
    const { settle, resync, condition, state, writes, rest } = world;
    await setTunnel(world, false);
    await settle();
    assert.equal(condition('TunnelAvailable'), 'False TunnelBlocked');
    assert.equal(condition('Ready'), 'False TunnelBlocked');
    assert.equal(state(), 'Updating');
    const before = writes().length;
    for (let ticks = 0; ticks < 5; ticks += 1) await resync();
    assert.deepEqual(writes().slice(before), []);
    await setTunnel(world, true);
    await settle();
    assert.equal(state(), 'Running');
    await rest();
  });
});
