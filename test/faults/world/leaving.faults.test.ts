import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));

/** Names of what carries our labels. */
function oursIn({ simulation }: World): readonly string[] {
  return simulation.cluster.api.client
    .all()
    .filter(({ metadata }) => metadata.labels?.['knudge.dev/owner-uid'] !== undefined)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

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
    await inWorld(
      { given: (at) => [cast.hello(at)], parents },
      async ({ user, find, see, settle, condition, rest }) => {
        const pod = cast.refIn(place, 'Pod', 'msg-hello');
        const { uid } = see(pod).metadata;
        await user.delete(cast.helloRef(place), policy);
        await settle();
        assert.equal(find(cast.helloRef(place)), undefined);
        if (policy !== 'Orphan') assert.equal(find(pod), undefined);
        await user.create(cast.hello(place, 'another'));
        await settle();
        // The orphan has lost its owner: it is nobody's, stays as it is, and is reported.
        if (policy === 'Orphan') assert.equal(see(pod).metadata.uid, uid);
        assert.equal(
          condition('Ready', cast.helloRef(place)),
          policy === 'Orphan' ? 'False NameConflict' : 'True PodReady',
        );
        await rest();
      },
    );
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
