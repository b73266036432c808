import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanupFinalizer } from '../../../src/domain/names.ts';
import type { CloudEvent } from '../../../src/local/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));
const hold = 'example.com/hold';
const minute = 60_000;

/** Names of what carries our labels. */
function oursIn({ simulation }: World): readonly string[] {
  return simulation.cluster.api.client
    .all()
    .filter(({ metadata }) => metadata.labels?.['knudge.dev/owner-uid'] !== undefined)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

test('X5: the finalizer that somebody takes from a living service comes back', async () => {
  await inWorld({ from }, async ({ user, see, settle, rest, state }) => {
    await user.patch(cast.webRef(place), { metadata: { finalizers: null } });
    await settle();
    assert.deepEqual(see(cast.webRef(place)).metadata.finalizers, [cleanupFinalizer]);
    assert.equal(state(), 'Running');
    await rest();
  });
});

test('X5: the finalizer that somebody takes from a service that leaves lets it go, and nothing stays behind', async () => {
  await inWorld({ from }, async (world) => {
    const { user, find, settle, rest } = world;
    await user.delete(cast.webRef(place));
    await user.patch(cast.webRef(place), { metadata: { finalizers: null } });
    assert.equal(find(cast.webRef(place)), undefined);
    await settle();
    assert.deepEqual(oursIn(world), []);
    await rest();
  });
});

test('X5: another finalizer beside ours stays, whoever comes and goes', async () => {
  await inWorld({ from }, async ({ user, see, settle, rest }) => {
    await user.patch(cast.webRef(place), { metadata: { finalizers: [hold] } });
    await settle();
    assert.deepEqual([...(see(cast.webRef(place)).metadata.finalizers ?? [])].sort(), [hold, cleanupFinalizer].sort());
    await rest();
  });
});

test('X6: a service that somebody else’s finalizer holds is cleaned up, leaves ours, and costs nothing while it waits', async () => {
  await inWorld({ from }, async (world) => {
    const { user, see, find, settle, resync, state, writes, rest } = world;
    await user.patch(cast.webRef(place), { metadata: { finalizers: [hold, cleanupFinalizer] } });
    await user.delete(cast.webRef(place));
    await settle();
    assert.deepEqual(see(cast.webRef(place)).metadata.finalizers, [hold]);
    assert.deepEqual(oursIn(world), []);
    assert.equal(state(), 'Terminating');
    const before = writes().length;
    for (let ticks = 0; ticks < 3; ticks += 1) await resync();
    assert.deepEqual(writes().slice(before), []);
    await user.patch(cast.webRef(place), { metadata: { finalizers: null } });
    assert.equal(find(cast.webRef(place)), undefined);
    await rest();
  });
});

test('X6: a child that somebody’s finalizer holds keeps the service leaving; past the deadline its status says who', async () => {
  await inWorld({ from }, async ({ user, see, find, settle, resync, state, condition, writes, simulation, rest }) => {
    const tunnel = cast.childRef(place, 'tunnel');
    await user.patch(tunnel, { metadata: { finalizers: [hold] } });
    await user.delete(cast.webRef(place));
    await settle();
    assert.equal(state(), 'Terminating');
    assert.equal(condition('CleanupBlocked'), 'absent');
    assert.ok(find(cast.childRef(place, 'identity')), 'the identity goes after the tunnel');
    simulation.clock.pass(6 * minute);
    await resync();
    assert.equal(condition('CleanupBlocked'), 'True DeadlinePassed');
    assert.match(JSON.stringify(see(cast.webRef(place)).status), /held by [^"]*example\.com\/hold/);
    const before = writes().length;
    for (let ticks = 0; ticks < 3; ticks += 1) await resync();
    assert.deepEqual(writes().slice(before), []);
    await user.patch(tunnel, { metadata: { finalizers: null } });
    await settle();
    await resync();
    assert.equal(find(cast.webRef(place)), undefined);
    await rest();
  });
});

test('X6: a child that is deleted and held is waited for, and made anew when it has gone', async () => {
  await inWorld({ from }, async ({ user, see, settle, condition, writes, resync, state, rest }) => {
    const config = cast.childRef(place, 'config');
    await user.patch(config, { metadata: { finalizers: [hold] } });
    const { uid } = see(config).metadata;
    await user.delete(config);
    await settle();
    assert.equal(condition('ConfigurationValid'), 'False WaitingForDeletion');
    const before = writes().length;
    await resync();
    assert.deepEqual(writes().slice(before), []);
    await user.patch(config, { metadata: { finalizers: null } });
    await settle();
    assert.notEqual(see(config).metadata.uid, uid);
    assert.equal(state(), 'Running');
    await rest();
  });
});

for (const policy of ['Background', 'Foreground', 'Orphan'] as const) {
  test(`X7: deleted with ${policy}, a service takes all of its own with it`, async () => {
    await inWorld({ from }, async (world) => {
      await world.user.delete(cast.webRef(place), policy);
      await world.user.gone(cast.webRef(place));
      assert.deepEqual(oursIn(world), []);
      await world.rest();
    });
  });

  test(`X7: deleted with ${policy} while nobody listens, a service goes at the next resync`, async () => {
    let isDeaf = true;
    const fate = (event: CloudEvent) => (isDeaf ? [] : [event]);
    await inWorld({ from, fate }, async (world) => {
      await world.user.delete(cast.webRef(place), policy);
      await world.settle();
      assert.ok(world.find(cast.webRef(place)), 'only Knudge takes its finalizer off');
      isDeaf = false;
      await world.user.gone(cast.webRef(place));
      assert.deepEqual(oursIn(world), []);
      await world.rest();
    });
  });

  test(`X7: a Message deleted with ${policy} leaves no Pod behind that its successor would adopt`, async () => {
    const parents = [cast.helloRef(place)];
    await inWorld({ given: (at) => [cast.hello(at)], parents }, async ({ user, find, see, settle, condition, rest }) => {
      const pod = cast.refIn(place, 'Pod', 'msg-hello');
      const { uid } = see(pod).metadata;
      await user.delete(cast.helloRef(place), policy);
      await settle();
      assert.equal(find(cast.helloRef(place)), undefined);
      if (policy !== 'Orphan') assert.equal(find(pod), undefined);
      await user.create(cast.hello(place, 'another'));
      await settle();
      // The orphan has lost its owner: it is nobody's, stays as it is, and is told.
      if (policy === 'Orphan') assert.equal(see(pod).metadata.uid, uid);
      assert.equal(
        condition('Ready', cast.helloRef(place)),
        policy === 'Orphan' ? 'False NameConflict' : 'True PodReady',
      );
      await rest();
    });
  });
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: place.namespace };

test('X8: a namespace that is deleted goes, with its services and their finalizers', async () => {
  await inWorld({ from }, async (world) => {
    await world.user.delete(namespace);
    await world.settle();
    await world.resync();
    assert.equal(world.find(namespace), undefined);
    await world.rest();
  });
});

test('X8: it goes also where the sources of events have gone before it: the resync finds the service', async () => {
  const fate = ({ attributes, ...rest }: CloudEvent): readonly CloudEvent[] =>
    attributes['type']?.startsWith('dev.knative.apiserver') === true ? [] : [{ attributes, ...rest }];
  await inWorld({ from, fate }, async ({ user, find, settle, resync, rest }) => {
    await user.delete(namespace);
    await settle();
    assert.ok(find(namespace), 'the finalizer of the service holds it');
    for (let ticks = 0; ticks < 4 && find(namespace) !== undefined; ticks += 1) await resync();
    assert.equal(find(namespace), undefined);
    await rest();
  });
});

test('X8: a namespace that begins to go while a service is being made lets nothing be made in it, and goes', async () => {
  const given = (): readonly [] => [];
  for (const steps of [2, 10, 14, 18]) {
    await inWorld({ given }, async ({ user, simulation, find, settle, resync, rest }) => {
      for (const object of cast.withEveryChild(place)) await user.create(object);
      const due = simulation.queue.find(({ stem }) => stem === 'distributed-service-changed');
      assert.ok(due);
      const run = await simulation.start(due);
      for (let step = 0; step < steps; step += 1) await simulation.step(run);
      await user.delete(namespace);
      await settle();
      for (let ticks = 0; ticks < 4 && find(namespace) !== undefined; ticks += 1) await resync();
      assert.equal(find(namespace), undefined, `after ${steps} calls`);
      await rest();
    });
  }
});
