import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { exchange } from '../../../packages/controller/cluster/exchange.ts';
import { timer } from '../../../packages/controller/server/deadline.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import { resyncOf } from '../real/resync-event.ts';
import * as cast from '../scenarios/cast.ts';
import { startInstance } from '../sim/instance.ts';
import { inRealWorld } from './real-world.ts';

const day = 86_400_000;

/** Instances in turn look at a service whose leaf was made by one whose clock is right. */
for (const [what, clocks] of [
  ['five days and nine years ahead', [0, 5 * day, 9 * 365 * day]],
  ['five days and nine years behind', [0, -5 * day, -9 * 365 * day]],
  ['nine years apart, and none right', [-9 * 365 * day, 9 * 365 * day]],
] as const) {
  test(`X11: instances whose clocks are ${what} do not re-issue a leaf in turn`, async () => {
    const stem = 'distributed-service-changed';
    await inRealWorld({ given: cast.withEveryChild, blind: true }, async (world) => {
      const { place, see, urlOf } = world;
      const tls = cast.childRef(place, 'tls');
      const { metadata } = await see(tls);
      const instances = clocks.map((ahead, index) =>
        startInstance({
          stems: [stem],
          exchange,
          say: () => undefined,
          send: async () => undefined,
          server: urlOf(9000 + index),
          env: { CONTROLLER_NAMESPACE: place.controller },
          outside: {
            now: () => Date.now() + ahead,
            elapsed: () => performance.now(),
            after: timer,
            random: Math.random,
            newToken: () => randomBytes(32).toString('base64url'),
            issuer,
          },
        }),
      );
      for (let turn = 0; turn < 4; turn += 1) {
        for (const instance of instances) {
          for (const { delivery } of resyncOf(await see(cast.webRef(place)))) {
            assert.equal((await instance(stem, delivery)).status, 204);
          }
        }
      }
      assert.equal((await see(tls)).metadata.resourceVersion, metadata.resourceVersion);
    });
  });
}
