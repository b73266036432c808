import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restarted } from '../../../packages/controller/domain/change.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { apartMs, gatherMs, settleMs } from '../../../packages/controller/resync/restart.ts';
import { isOver } from '../../../packages/controller/testing/sim/simulation.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { manifests } from '../sim/source.ts';
import { inWorld, type World } from './world.ts';

const given = (at: typeof place) => [...cast.withEveryChild(at)];
const from = await givenOf(cast.aboutWeb({ name: 'restarts', given, when: async () => undefined }));
const [web, hello] = [cast.webRef(place), cast.helloRef(place)];
const parents = [web, hello];
/** The deadline that the manifest of resync-due gives it. */
const env = { HANDLER_DEADLINE_SECONDS: deadlineOf('resync-due') };

/** What of a source's events comes while its adapter starts anew. */
function adapters({ isHeard = true } = {}) {
  const way = { isDown: false };
  const isRestart = ({ attributes }: CloudEvent): boolean => attributes[restarted.extension] === restarted.value;
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    if (isRestart(event)) return isHeard ? [event] : [];
    const isOfSource = event.attributes['type']?.startsWith('dev.knative.apiserver') === true;
    return way.isDown && isOfSource ? [] : [event];
  };
  return { way, fate };
}

/** The new adapter of a source: its node makes it ready. */
function adapter(name: string): KubeObject & { readonly spec: object } {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: place.controller,
      name,
      labels: { 'eventing.knative.dev/sourceName': 'cluster-objects' },
    },
    spec: { containers: [{ name: 'receive-adapter', image: 'example.test/adapter:1' }] },
  };
}

/** Seconds that a cluster takes until it is at rest. */
async function secondsOf({ simulation, settle }: World): Promise<number> {
  const before = simulation.clock.now();
  await settle();
  return (simulation.clock.now() - before) / 1000;
}

/** A change of every sort, which no event reports. */
async function changeUntold({ user, settle, find }: World, way: { isDown: boolean }): Promise<void> {
  way.isDown = true;
  await user.patch(web, { spec: { expose: { remotePort: 7002 } } });
  await user.delete(cast.childRef(place, 'endpoints'));
  await user.create(cast.hello(place));
  await settle();
  way.isDown = false;
  assert.equal(find(cast.refIn(place, 'Pod', 'msg-hello')), undefined, 'nobody has told of it');
}

const isRight = ({ find }: World): boolean =>
  /7002/.test(JSON.stringify(find(cast.childRef(place, 'config'))?.['data'])) &&
  find(cast.childRef(place, 'endpoints')) !== undefined &&
  find(cast.refIn(place, 'Pod', 'msg-hello')) !== undefined;

/** When resyncs began, in milliseconds, by the virtual clock. */
const rounds = ({ simulation }: World): readonly string[] =>
  simulation
    .trace([])
    .answers.filter(({ stem, headers }) => stem === 'resync-due' && headers['knudge-outcome']?.includes('sent='))
    .map(({ event }) => event.id);

test('what a source has lost while it started anew is right within seconds, without a tick', async () => {
  const { way, fate } = adapters();
  await inWorld({ from, parents, fate, env }, async (world) => {
    await changeUntold(world, way);
    await world.user.create(adapter('new'));
    const seconds = await secondsOf(world);
    assert.ok(isRight(world));
    assert.ok(seconds <= (settleMs + gatherMs) / 1000 + 5, `${seconds} s`);
    assert.equal(rounds(world).length, 1);
    await world.rest();
  });
});

test('were the restart not heard of, it would be wrong until the tick', async () => {
  const { way, fate } = adapters({ isHeard: false });
  await inWorld({ from, parents, fate, env }, async (world) => {
    await changeUntold(world, way);
    await world.user.create(adapter('new'));
    await world.settle();
    assert.ok(!isRight(world));
    await world.resync();
    assert.ok(isRight(world));
  });
});

test('of 40 restarts in a minute each loses something, and all is right a minute after the last, with a resync a minute', async () => {
  const { way, fate } = adapters();
  await inWorld({ from, parents, fate, env, coalesce: false }, async (world) => {
    const { simulation, user } = world;
    const began = simulation.clock.now();
    for (let count = 1; count <= 40; count += 1) {
      way.isDown = true;
      await user.create(cast.hello(place, 'hello', { name: `hello-${count}` }));
      while (simulation.cluster.tasks() > 0) simulation.cluster.runTask();
      way.isDown = false;
      await user.create(adapter(`new-${count}`));
      while (simulation.cluster.tasks() > 0) simulation.cluster.runTask();
      simulation.clock.pass(1500);
      await simulation.breathe();
    }
    const last = simulation.clock.now();
    await world.settle();
    const took = simulation.clock.now() - last;
    for (let count = 1; count <= 40; count += 1) {
      assert.ok(world.find(cast.refIn(place, 'Pod', `msg-hello-${count}`)), `hello-${count}`);
    }
    const most = Math.ceil((simulation.clock.now() - began) / apartMs) + 1;
    assert.ok(rounds(world).length <= most, `${rounds(world).length} rounds`);
    assert.ok(took <= apartMs + settleMs + gatherMs + 32_000, `${took} ms`);
    await world.rest();
  });
});

test('an instance that dies within that resync is made good by the next try of its event', async () => {
  const { way, fate } = adapters();
  await inWorld({ from, parents, fate, env }, async (world) => {
    const { simulation, user } = world;
    await changeUntold(world, way);
    await user.create(adapter('new'));
    while (simulation.cluster.tasks() > 0) simulation.cluster.runTask();
    const run = await runUntilTaken(world);
    assert.ok(run && isTaken(world), 'it has taken the resync, and not begun it');
    simulation.kill(run.process);
    await world.settle();
    assert.ok(isRight(world));
    await world.rest();
  });
});

/** Hands out what waits, until an instance has taken the resync and done nothing more. */
async function runUntilTaken(world: World): Promise<Awaited<ReturnType<World['simulation']['start']>> | undefined> {
  const { simulation } = world;
  for (let due = simulation.queue.shift(); due !== undefined; due = simulation.queue.shift()) {
    const run = await simulation.start(due);
    while (!isTaken(world) && !isOver(run)) {
      if (await simulation.step(run)) continue;
      simulation.clock.advance();
      await simulation.breathe();
    }
    if (isTaken(world)) return run;
  }
  return undefined;
}

function deadlineOf(name: string): string {
  const seconds = manifests.functions.find((one) => one.name === name)?.env['HANDLER_DEADLINE_SECONDS'];
  assert.ok(seconds, `the manifest of ${name} says no deadline`);
  return seconds;
}

function isTaken({ find }: World): boolean {
  const ref = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'knudge', name: 'knudge-resync' };
  const { holderIdentity } = (find(ref)?.spec ?? {}) as { readonly holderIdentity?: string };
  return holderIdentity !== undefined;
}
