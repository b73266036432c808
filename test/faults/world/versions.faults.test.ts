import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { dueOf } from '../sim/source.ts';
import { inWorld, type World } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));

const images = { old: 'fatedier/frpc:v0.71.1', new: 'fatedier/frpc:v0.72.0' } as const;
type Version = keyof typeof images;

/** An environment that says what the next process of a function is started with. */
function rollout() {
  const now: { version: Version } = { version: 'old' };
  const env = {
    get FRPC_IMAGE(): string {
      return images[now.version];
    },
  };
  return { now, env };
}

const imageOf = ({ see }: World): string =>
  JSON.stringify(see(cast.childRef(place, 'tunnel')).spec).match(/fatedier\/frpc:[^"]+/)?.[0] ?? '';

for (const [from_, to] of [
  ['old', 'new'],
  ['new', 'old'],
] as const) {
  for (const steps of [1, 8, 14, 17]) {
    test(`X14: from the ${from_} version to the ${to}, with an event ${steps} calls under way in the first, ends in the ${to}`, async () => {
      const { now, env } = rollout();
      await inWorld({ from, env, coalesce: false }, async (world) => {
        const { simulation, user, settle, resync, writes, state } = world;
        now.version = from_;
        await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
        const due = simulation.queue.shift();
        assert.ok(due);
        const first = await simulation.start(due, true);
        for (let step = 0; step < steps; step += 1) await simulation.step(first);
        now.version = to;
        const second = await simulation.start({ ...due, id: 'again' }, true);
        for (let step = 0; step < 40; step += 1) await simulation.step(step % 3 === 0 ? first : second);
        await settle();
        await resync();
        assert.equal(imageOf(world), images[to]);
        assert.equal(state(), 'Running');
        const applies = writes().filter((write) => write === 'apply deployments frp-web');
        assert.ok(applies.length <= 4, `${applies.length} times over the tunnel`);
      });
    });
  }
}

test('X14: what a newer version has written more than we know is left alone, but for what we answer for', async () => {
  await inWorld({ from }, async (world) => {
    const { user, see, settle, writes, resync } = world;
    const ref = cast.childRef(place, 'config');
    await user.patch(ref, { data: { 'future.json': '{}' }, metadata: { annotations: { 'knudge.dev/future': 'x' } } });
    const before = writes().length;
    await settle();
    await resync();
    assert.deepEqual(writes().slice(before), []);
    assert.equal(see(ref).data?.['future.json'], '{}');
    await world.rest();
  });
});

test('X14: a condition of somebody else in the status of a service stays, and costs no write', async () => {
  await inWorld({ from }, async (world) => {
    const { user, see, settle, resync, writes, state, condition } = world;
    const { conditions = [] } = see(cast.webRef(place)).status ?? {};
    const [first] = conditions;
    assert.ok(first);
    await user.patch(cast.webRef(place), { status: { conditions: [...conditions, { ...first, type: 'Future' }] } });
    await settle();
    assert.equal(state(), 'Running');
    assert.match(condition('Future'), /^True/);
    const before = writes().length;
    await resync();
    assert.deepEqual(writes().slice(before), []);
  });
});

test('X14: a function that an upgrade left behind takes back what the others write, and all rests when it has gone', async () => {
  const { now, env } = rollout();
  let delivered = 0;
  let world: World | undefined;
  // What reports the tunnel goes to a process of the old version, until it has gone.
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    delivered += 1;
    const [due] = dueOf(event);
    if (delivered >= 30 || due?.stem !== 'deployment-changed') return [event];
    now.version = 'old';
    void world?.simulation.start(due, true);
    now.version = 'new';
    return [];
  };
  await inWorld({ from, env, fate }, async (inside) => {
    world = inside;
    const { user, settle, resync, state, writes } = inside;
    now.version = 'new';
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    await settle();
    assert.ok(delivered >= 30, 'the two versions are at peace: then let this test say so');
    assert.equal(imageOf(inside), images.new);
    assert.equal(state(), 'Running');
    // The first takes away the Claim of the old port, which was kept a minute.
    await resync();
    const before = writes().length;
    await resync();
    assert.deepEqual(writes().slice(before), []);
  });
});
