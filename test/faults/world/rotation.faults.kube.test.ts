import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import { inspect } from '../../../packages/issuing/inspect.ts';
import { annotations } from '../../../resources/distributed-service/names.ts';
import type { Place } from '../scenario.ts';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, type RealWorld } from './real-world.ts';
import type { Seen } from './world.ts';

const day = 86_400_000;
const names = ['web', 'api', 'shop'];
const given = (place: Place) => [
  cast.profile(place),
  ...names.flatMap((name, index) => [
    cast.backend(place, `${name}-1`, name),
    cast.web(place, { ...cast.generated, expose: { remotePort: 7001 + index } }, { name }),
  ]),
];
const parents = (place: Place) => names.map((name) => cast.webRef(place, name));
const authorityRef = (place: Place) => cast.refIn(place, 'Secret', 'frp-default-ca');

const text = (secret: Seen, key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
const trusted = (secret: Seen): number => text(secret, 'ca.crt').split('BEGIN CERTIFICATE').length - 1;

/** Whether every service shows a certificate that this one has signed. */
async function areSignedBy({ see, place }: RealWorld, certificate: string): Promise<boolean> {
  const leaves = await Promise.all(names.map((name) => see(cast.refIn(place, 'Secret', `frp-${name}-tls`))));
  return leaves.every((leaf) => {
    const pair = { certificate: text(leaf, 'tls.crt'), key: text(leaf, 'tls.key') };
    return inspect(pair, certificate) !== undefined;
  });
}

test('an authority of three services is rotated, each step once, and what is over is gone from the Secret', async (t) => {
  await inRealWorld({ given, parents }, async (world) => {
    const { place, user, see, settle, resync, pass, writes } = world;
    const ref = authorityRef(place);
    const stored = (): number => writes().filter((write) => write === 'apply secrets frp-default-ca').length;
    const first = await see(ref);
    const wanted = timeOf(secondsOf(first.metadata.creationTimestamp ?? '') + 1);
    await user.patch(ref, { metadata: { annotations: { [annotations.rotate]: wanted } } });
    await settle();
    await resync();
    const both = await see(ref);
    assert.equal(stored(), 1, 'three heard of it, and one successor was stored');
    assert.equal(trusted(both), 2);
    assert.equal(text(both, 'tls.key'), text(first, 'tls.key'));
    assert.ok(await areSignedBy(world, text(first, 'tls.crt')), 'the elder signs');

    pass(31 * day);
    await resync();
    assert.ok(await areSignedBy(world, text(both, 'next.crt')), 'the successor signs');
    assert.equal((await see(ref)).metadata.resourceVersion, both.metadata.resourceVersion);

    pass(7 * day);
    await resync();
    const last = await see(ref);
    assert.equal(stored(), 2);
    assert.deepEqual(Object.keys(last.data ?? {}).sort(), ['ca.crt', 'tls.crt', 'tls.key']);
    assert.equal(text(last, 'tls.key'), text(both, 'next.key'));
    assert.equal(text(last, 'ca.crt'), text(both, 'next.crt'));
    assert.equal(last.metadata.annotations?.[annotations.rotate], wanted, 'what a person wrote stays');
    assert.ok(await areSignedBy(world, text(last, 'tls.crt')));
    await world.restful();
    t.diagnostic(`${String(writes().length)} writes, of them 2 to the authority`);
  });
});
