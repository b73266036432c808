import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rival } from '../../../packages/controller/testing/user.ts';
import * as cast from '../scenarios/cast.ts';
import { place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

/** A controller of somebody else, which fights until it is told to stop. */
function fighter(fights: Rival): { readonly rival: Rival; readonly now: { isFighting: boolean } } {
  const now = { isFighting: true };
  return { now, rival: (change) => (now.isFighting ? fights(change) : undefined) };
}

const replicasOf = (object: unknown): number | undefined =>
  (object as { readonly spec?: { readonly replicas?: number } }).spec?.replicas;
const countOf = ({ writes }: World, write: string): number => writes().filter((one) => one === write).length;
const messageOf = ({ see }: World, ref = cast.webRef(place)): string =>
  see(ref).status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';

test('a controller that scales the tunnel back each time is let be after twelve tries, told by name, and tried again by the resync', async () => {
  const { rival, now } = fighter(({ type, object }) =>
    type !== 'DELETED' && object.kind === 'Deployment' && replicasOf(object) !== 3
      ? { spec: { replicas: 3 } }
      : undefined,
  );
  await inWorld({ given: cast.running, rival }, async (world) => {
    const { user, settle, resync, condition, state } = world;
    const before = countOf(world, 'apply deployments frp-web');
    await user.patch(cast.childRef(place, 'tunnel'), { spec: { replicas: 3 } });
    await settle();
    const applies = countOf(world, 'apply deployments frp-web') - before;
    assert.ok(applies >= 10 && applies <= 13, `${applies} applies`);
    assert.equal(condition('Ready'), 'False Flapping');
    assert.match(
      messageOf(world),
      /^Deployment shop\/frp-web was written 12 times .*: spec\.replicas is 3 instead of 1, set by rival\./,
    );
    for (let round = 0; round < 4; round += 1) await resync();
    assert.ok(countOf(world, 'apply deployments frp-web') - before - applies <= 8, 'slowly from then on');
    now.isFighting = false;
    await resync();
    assert.equal(state(), 'Running');
    const then = world.writes().length;
    await resync();
    await resync();
    assert.equal(world.writes().length, then, 'at rest');
  });
});

test('a Message whose Pods are all rejected makes six in five minutes, also where every process is a new one', async () => {
  const { rival, now } = fighter(({ type, object }) =>
    type === 'ADDED' && object.kind === 'Pod' ? { status: { phase: 'Failed', reason: 'OutOfcpu' } } : undefined,
  );
  const ref = cast.helloRef(place);
  await inWorld({ given: () => [], parents: [ref], rival }, async (world) => {
    const { user, settle, resync, condition, simulation } = world;
    await user.create(cast.hello(place));
    // Events come on and on, each to a process that has just begun.
    for (let second = 0; second < 290; second += 5) {
      await cast.wake(user, ref);
      await user.patch(ref, { metadata: { annotations: { 'example.com/note': `${second}` } } });
      for (const due of simulation.queue.splice(0)) {
        const run = await simulation.start(due, true);
        while (await simulation.step(run));
      }
      simulation.collect();
      await settle();
      simulation.clock.pass(5000);
    }
    const made = countOf(world, 'create pods msg-hello');
    assert.ok(made >= 4 && made <= 6, `${made} Pods`);
    assert.equal(condition('Ready', ref), 'False PodEnded');
    assert.match(messageOf(world, ref), /has ended: OutOfcpu\. \d Pods were made in a row/);
    now.isFighting = false;
    await resync();
    assert.equal(condition('Ready', ref), 'True PodReady');
    await world.rest();
  });
});

test('an autoscaler of the workload is asked once, and then let be', async () => {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;
  const backends = { discovery: 'auto', port: 8080, replicas: 2, workloadRef } as const;
  const { rival } = fighter(({ type, object }) =>
    type === 'MODIFIED' && object.metadata.name === 'app' && replicasOf(object) !== 5
      ? { spec: { replicas: 5 } }
      : undefined,
  );
  const given = () => [cast.profile(place), cast.workload(place, 2), cast.web(place, { backends })];
  await inWorld({ given, rival }, async (world) => {
    const { user, settle, see, state } = world;
    await user.patch(cast.webRef(place), { spec: { backends: { replicas: 3 } } });
    await settle();
    assert.equal(countOf(world, 'scale deployments/scale app') + countOf(world, 'patch-json deployments/scale app'), 1);
    assert.equal(replicasOf(see(cast.refIn(place, 'apps/v1 Deployment', 'app'))), 5);
    assert.equal(state(), 'Running');
    await world.rest();
  });
});
