import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cast from '../scenarios/cast.ts';
import { inspectSimulated } from '../sim/issuer.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const given = cast.withEveryChild;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given, when: nothing }));

const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();

function leafOf({ see }: World) {
  const [leaf, authority] = [see(cast.childRef(place, 'tls')), see(cast.refIn(place, 'Secret', 'frp-default-ca'))];
  const pair = { certificate: text(leaf.data?.['tls.crt']), key: text(leaf.data?.['tls.key']) };
  const facts = inspectSimulated(pair, text(authority.data?.['tls.crt']));
  assert.ok(facts, 'the authority has not signed the leaf');
  return { uid: leaf.metadata.uid, ...facts };
}

const leafWrites = ({ writes }: World) =>
  writes().filter((write) => /^(create|apply) secrets frp-web-tls$/.test(write));

/** How many leaves a jump costs: past two thirds of its life one is due, and so is one that begins too long from now. */
const jumps: readonly (readonly [what: string, ms: number, leaves: number])[] = [
  ['an hour ahead', hour, 0],
  ['an hour back', -hour, 0],
  ['four days ahead, less than two thirds of a life', 4 * day, 0],
  ['four days back', -4 * day, 1],
  ['five days ahead, more than two thirds of a life', 5 * day, 1],
  ['nine years ahead', 9 * year, 1],
  ['nine years back', -9 * year, 1],
];

for (const [what, ms, leaves] of jumps) {
  test(`X11: a clock that jumps ${what} costs ${String(leaves)} leaves, and no more however long it stays`, async () => {
    await inWorld({ from }, async (world) => {
      world.simulation.clock.pass(ms);
      for (let ticks = 0; ticks < 6; ticks += 1) await world.resync();
      assert.equal(leafWrites(world).length, leaves);
    });
  });
}

for (const [what, ms, most] of [
  ['an hour apart do not re-issue in turn', hour, 0],
  ['nine years apart re-issue no more than once a turn', 9 * year, 12],
] as const) {
  test(`X11: two instances whose clocks are ${what}`, async () => {
    await inWorld({ from }, async (world) => {
      for (let turn = 0; turn < 12; turn += 1) {
        world.simulation.clock.pass(turn % 2 === 0 ? ms : -ms);
        await world.resync();
      }
      assert.ok(leafWrites(world).length <= most, leafWrites(world).join(', '));
    });
  });
}

test('X11: a leap second, twice the same second and a jump of one second back change nothing', async () => {
  await inWorld({ from }, async (world) => {
    const before = world.writes().length;
    for (const ms of [1000, -1000, -1000, 0, 2000]) {
      world.simulation.clock.pass(ms);
      await world.resync();
    }
    assert.deepEqual(world.writes().slice(before), []);
    await world.rest();
  });
});

test('X11: a leaf is good a while before it was made, for clocks that are slow', async () => {
  await inWorld({ from }, async (world) => {
    await world.user.delete(cast.childRef(place, 'tls'));
    const now = world.simulation.clock.now();
    await world.settle();
    const { notBefore } = leafOf(world);
    assert.ok(now - Date.parse(notBefore) >= 5 * 60_000, notBefore);
  });
});

for (const [what, ms] of [
  ['a day', day],
  ['nine years', 9 * year],
] as const) {
  test(`X11: a leaf that begins ${what} from now, because a clock was wrong, is made anew once it is right`, async () => {
    await inWorld({ from }, async (world) => {
      world.simulation.clock.pass(ms);
      await world.user.delete(cast.childRef(place, 'tls'));
      await world.settle();
      assert.ok(Date.parse(leafOf(world).notBefore) > world.simulation.clock.now() - hour);
      world.simulation.clock.pass(-ms);
      for (let ticks = 0; ticks < 3; ticks += 1) await world.resync();
      const { notBefore } = leafOf(world);
      assert.ok(Date.parse(notBefore) <= world.simulation.clock.now(), `the leaf is not valid before ${notBefore}`);
      assert.ok(leafWrites(world).length <= 2, leafWrites(world).join(', '));
    });
  });
}

test('X11: a deletion that seems to lie in the future or long ago is carried out all the same', async () => {
  for (const ms of [-hour, hour, -9 * year, 9 * year]) {
    await inWorld({ from }, async (world) => {
      await world.user.delete(cast.webRef(place));
      world.simulation.clock.pass(ms);
      await world.settle();
      await world.resync();
      assert.equal(world.find(cast.webRef(place)), undefined, `${ms / hour} hours off`);
      await world.rest();
    });
  }
});
