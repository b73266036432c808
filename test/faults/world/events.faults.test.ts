import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import { type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import * as cast from '../scenarios/cast.ts';
import { place, prepare } from '../sim/prepare.ts';
import { inWorld } from './world.ts';

const creation = cast.aboutWeb({
  name: 'created',
  given: () => [],
  when: async (user, at) => {
    for (const object of cast.withEveryChild(at)) await user.create(object);
  },
});
const { from, clean } = await prepare(creation);
const typeOf = ({ attributes }: CloudEvent): string => attributes['type'] ?? '';
const isChange = (event: CloudEvent): boolean => typeOf(event).startsWith('dev.knative.apiserver');

/** The events of a way that is bad until it is mended. */
function badWay(bad: (event: CloudEvent) => readonly CloudEvent[]) {
  const way = { isBad: true };
  return { way, fate: (event: CloudEvent) => (way.isBad && isChange(event) ? bad(event) : [event]) };
}

let counter = 0;
const losses: Readonly<Record<string, (event: CloudEvent) => boolean>> = {
  'every event': () => true,
  'every event about a service': ({ attributes }) => attributes['kind'] === 'DistributedService',
  'every event about a Deployment': ({ attributes }) => attributes['kind'] === 'Deployment',
  'every event about an EndpointSlice': ({ attributes }) => attributes['kind'] === 'EndpointSlice',
  'all that was added': (event) => typeOf(event).endsWith('.add'),
  'all that was updated': (event) => typeOf(event).endsWith('.update'),
  'every third event': () => {
    counter += 1;
    return counter % 3 === 0;
  },
};

for (const [what, isLost] of Object.entries(losses)) {
  test(`E1: where ${what} is lost, one resync makes it good`, async () => {
    const { fate } = badWay((event) => (isLost(event) ? [] : [event]));
    await inWorld({ from, fate }, async ({ user, settle, resync, state, rest }) => {
      await creation.when(user, place);
      await settle();
      // The first finds what was made, the second what became of it.
      await resync();
      await resync();
      assert.equal(state(), 'Running');
      await rest();
    });
  });
}

for (const times of [2, 10, 100]) {
  test(`E2: each event ${times} times writes what once does`, async () => {
    const { way, fate } = badWay((event) => Array.from({ length: times }, () => event));
    const firsts = times > 10 ? { given: creation.given } : { from };
    await inWorld({ ...firsts, fate, coalesce: false }, async ({ user, settle, rest, state, simulation }) => {
      if (times > 10) {
        // A burst about one object, rather than a hundred of each of a hundred events.
        way.isBad = false;
        await creation.when(user, place);
        await settle();
        way.isBad = true;
        await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
        assert.ok(simulation.queue.length >= times);
        way.isBad = false;
        await settle();
        assert.equal(state(), 'Running');
        await rest();
        return;
      }
      await creation.when(user, place);
      await settle();
      way.isBad = false;
      await rest(clean);
    });
  });
}

test('E3: events in the opposite order, and all of them once more after two days, end as in their order', async () => {
  const kept: CloudEvent[] = [];
  const { way, fate } = badWay((event) => {
    kept.push(event);
    return [];
  });
  await inWorld({ from, fate, coalesce: false }, async ({ user, simulation, settle, writes, rest, state }) => {
    await creation.when(user, place);
    await settle();
    way.isBad = false;
    for (const event of kept.toReversed()) simulation.send(event);
    await settle();
    assert.equal(state(), 'Running');
    simulation.clock.pass(2 * 86_400_000);
    const before = writes().length;
    for (const event of kept) simulation.send(event);
    await settle();
    assert.deepEqual(writes().slice(before), []);
    await rest();
  });
});

test('E4: the late news of a deletion does nothing to the successor of that name, nor does it adopt children', async () => {
  const deletions: CloudEvent[] = [];
  const { way, fate } = badWay((event) => {
    if (typeOf(event).endsWith('.delete')) deletions.push(event);
    return typeOf(event).endsWith('.delete') ? [] : [event];
  });
  const given = cast.withEveryChild;
  await inWorld({ given, fate, coalesce: false }, async ({ user, see, find, settle, simulation, writes, rest }) => {
    const old = see(cast.webRef(place)).metadata.uid;
    await user.delete(cast.webRef(place));
    await user.gone(cast.webRef(place));
    await user.create(cast.web(place, { ...cast.bySelector, ...cast.generated }));
    await settle();
    const owners = ['tls', 'config', 'tunnel'] as const;
    for (const role of owners) {
      assert.notEqual(find(cast.childRef(place, role))?.metadata.ownerReferences?.[0]?.uid, old);
    }
    way.isBad = false;
    const before = writes().length;
    assert.ok(deletions.length > 3);
    for (const event of deletions) simulation.send(event);
    await settle();
    assert.deepEqual(writes().slice(before), []);
    await rest();
  });
});

test('E4: a successor that is there before the garbage collector takes none of the old children over', async () => {
  await inWorld({ given: cast.withEveryChild }, async ({ simulation, user, see, settle, resync, state, rest }) => {
    const ref = cast.webRef(place);
    const roles = Object.keys(childRoles) as ChildRole[];
    const uids = () => roles.map((role) => see(cast.childRef(place, role)).metadata.uid);
    const before = uids();
    await user.patch(ref, { metadata: { finalizers: null } });
    await user.delete(ref);
    await user.create(cast.web(place, { ...cast.bySelector, ...cast.generated }));
    const due = simulation.queue.find(({ stem }) => stem === 'distributed-service-changed');
    assert.ok(due);
    const run = await simulation.start(due);
    while (await simulation.step(run)) assert.ok(simulation.cluster.tasks() > 0, 'the collector has not come yet');
    await settle();
    await resync();
    assert.equal(state(), 'Running');
    const after = new Set(uids());
    assert.deepEqual(
      before.filter((uid) => after.has(uid)),
      [],
    );
    await rest();
  });
});
