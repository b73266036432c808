import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanupFinalizer } from '../../../resources/distributed-service/names.ts';
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
