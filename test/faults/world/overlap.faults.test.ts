import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedType } from '../../../packages/controller/domain/change.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { place, prepare } from '../sim/prepare.ts';
import { tick } from '../sim/tick.ts';
import { inWorld } from './world.ts';

function sendTick(simulation: Simulation, id: string): void {
  simulation.send(tick(simulation.clock.now(), id));
}

for (const steps of [1, 5, 9, 13, 17, 25]) {
  test(`X2: a resync that comes ${steps} calls into a deletion does not get in its way`, async () => {
    await inWorld({ given: cast.withEveryChild, coalesce: false }, async ({ simulation, user, settle, find, rest }) => {
      await user.delete(cast.webRef(place));
      const due = simulation.queue.shift();
      assert.ok(due);
      const run = await simulation.start(due);
      for (let step = 0; step < steps; step += 1) await simulation.step(run);
      const asked = await simulation.start(requestFor(simulation), true);
      while (await simulation.step(asked)) simulation.collect();
      await settle();
      await rest();
      assert.equal(find(cast.webRef(place)), undefined);
    });
  });
}

/** The event by which a resync asks after `web`, on its way to its function. */
function requestFor({ send, queue, clock }: Simulation) {
  const { apiVersion, kind, namespace, name } = cast.webRef(place);
  const extensions = { apiversion: apiVersion, kind, namespace, name };
  const time = new Date(clock.now()).toISOString();
  const stamp = { specversion: '1.0', id: 'round/web', type: requestedType, source: '/knudge/resync-due', time };
  send({ attributes: { ...stamp, ...extensions }, data: Buffer.alloc(0) });
  const due = queue.pop();
  assert.ok(due, 'no Trigger wants the request of a resync');
  return due;
}

test('X2: two resyncs that overlap cost reads and no writes', async () => {
  await inWorld({ given: cast.withEveryChild, coalesce: false }, async ({ simulation, settle, writes, rest }) => {
    const before = writes().length;
    sendTick(simulation, 'one');
    sendTick(simulation, 'two');
    const [first, second] = [simulation.queue.shift(), simulation.queue.shift()];
    assert.ok(first && second);
    const [a, b] = [await simulation.start(first, true), await simulation.start(second, true)];
    for (let turn = 0; turn < 20; turn += 1) await simulation.step(turn % 2 === 0 ? a : b);
    await settle();
    assert.deepEqual(writes().slice(before), []);
    await rest();
  });
});

test('X2: the same overlapping resyncs create every child once where all of them are missing', async () => {
  const scenario = cast.aboutWeb({
    name: 'created-in-the-dark',
    given: () => [],
    when: async (user, at) => {
      for (const object of cast.withEveryChild(at)) await user.create(object);
    },
  });
  const { clean, from } = await prepare(scenario);
  let isDark = true;
  const doubled = (event: CloudEvent): readonly CloudEvent[] => {
    const type = event.attributes['type'] ?? '';
    if (!isDark) return [event];
    if (type.startsWith('dev.knative.apiserver')) return [];
    return type === requestedType ? [event, event, event] : [event, event];
  };
  await inWorld({ from, fate: doubled, coalesce: false }, async ({ user, resync, state, rest }) => {
    await scenario.when(user, place);
    await resync();
    isDark = false;
    await rest(clean);
    assert.equal(state(), 'Running');
  });
});

test('X2: a storm of ticks after an outage of the API server ends with the work of one', async () => {
  const down = { do: 'answer', status: 503, reason: 'ServiceUnavailable' } as const;
  const verbs = ['get', 'list', 'create', 'apply', 'delete', 'patch-merge', 'patch-json', 'update'] as const;
  const kinds = [
    'distributedservices',
    'messages',
    'configmaps',
    'secrets',
    'services',
    'pods',
    'deployments',
    'claims',
  ];
  const faults = kinds.flatMap((resource) =>
    verbs.map((verb) => ({ match: { verb, resource, nth: 1 }, when: 'before', times: 'on', action: down }) as const),
  );
  await inWorld({ given: cast.withEveryChild, faults, coalesce: false }, async (world) => {
    const { simulation, user, settle, writes, rest, state } = world;
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    for (let count = 0; count < 10; count += 1) {
      sendTick(simulation, `outage-${count}`);
      await settle();
    }
    simulation.gate.lift();
    const before = writes().length;
    for (let count = 0; count < 50; count += 1) sendTick(simulation, `storm-${count}`);
    await settle();
    const carriedOut = writes().slice(before);
    // One Claim is made and one let go, which is reported; the rest follows in a second pass.
    assert.ok(
      carriedOut.length <= 10,
      `one change of a port cost ${carriedOut.length} writes: ${carriedOut.join(', ')}`,
    );
    assert.equal(state(), 'Running');
    await rest();
  });
});
