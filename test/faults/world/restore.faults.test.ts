import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import { inWorld } from './world.ts';

const parents = [cast.webRef(place), cast.webRef(place, 'late')];
const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));
const late = () => cast.web(place, { expose: { remotePort: 7009 } }, { name: 'late' });

/** What happened after the backup, and will never have happened: its events are still on their way. */
async function lostFuture(act: (simulation: Simulation) => Promise<void>): Promise<readonly CloudEvent[]> {
  const events: CloudEvent[] = [];
  const fate = (event: CloudEvent): readonly CloudEvent[] => {
    events.push(event);
    return [event];
  };
  const simulation = startSimulation({ from, seed: 1, parents, fate });
  await act(simulation);
  await drain(simulation);
  simulation.close();
  return events;
}

const futures: Readonly<Record<string, (simulation: Simulation) => Promise<unknown>>> = {
  'changed a service': (simulation) =>
    userOf(simulation).patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } }),
  'deleted a service': (simulation) => userOf(simulation).delete(cast.webRef(place)),
  'made a service': (simulation) => userOf(simulation).create(late()),
  'changed the server': (simulation) =>
    userOf(simulation).patch(cast.refIn(place, 'ConfigMap', 'frps-default'), { data: { port: '7443' } }),
  'made certificates anew': async (simulation) => {
    await userOf(simulation).delete(cast.refIn(place, 'Secret', 'frp-default-ca'));
    await cast.wake(userOf(simulation), cast.webRef(place));
  },
  'deleted and made the service again': async (simulation) => {
    await userOf(simulation).delete(cast.webRef(place));
    await drain(simulation);
    await userOf(simulation).create(cast.web(place, { ...cast.bySelector, ...cast.generated }));
  },
};

for (const [what, act] of Object.entries(futures)) {
  test(`X15: a backup from before somebody ${what}: events of the lost future change nothing`, async () => {
    const events = await lostFuture(async (simulation) => void (await act(simulation)));
    assert.ok(events.length > 0);
    await inWorld({ from, parents }, async ({ simulation, find, settle, state, writes, rest }) => {
      for (const event of events) simulation.send(event);
      await settle();
      assert.deepEqual(writes(), []);
      assert.equal(state(), 'Running');
      assert.equal(find(cast.webRef(place, 'late')), undefined);
      await rest();
    });
  });

  test(`X15: what is done again after the restore of a backup (${what}) ends as the first time`, async () => {
    await inWorld({ from, parents, seed: 8 }, async ({ simulation, settle, resync, rest, state, find }) => {
      await act(simulation);
      await settle();
      await resync();
      await rest();
      if (find(cast.webRef(place)) !== undefined) assert.equal(state(), 'Running');
    });
  });
}

/** Backups from the midst of a creation or a deletion: after this many calls of its handler. */
async function midst(start: Snapshot, act: (simulation: Simulation) => Promise<unknown>, calls: number) {
  const simulation = startSimulation({ from: start, seed: 2, parents });
  await act(simulation);
  const due = simulation.queue.find(({ stem }) => stem === 'distributed-service-changed');
  assert.ok(due);
  const run = await simulation.start(due);
  let made = 0;
  while (made < calls && (await simulation.step(run))) made += 1;
  const snapshot = simulation.cluster.snapshot();
  simulation.close();
  return { snapshot, made };
}

for (const [what, act, end] of [
  ['a creation', (simulation: Simulation) => userOf(simulation).create(late()), 'there'],
  ['a deletion', (simulation: Simulation) => userOf(simulation).delete(cast.webRef(place)), 'gone'],
] as const) {
  test(`X15: backups from the midst of ${what} come to the same end, without an event`, async () => {
    let taken = 0;
    for (let calls = 0; ; calls += 3) {
      const { snapshot, made } = await midst(from, act, calls);
      if (made < calls) break;
      taken += 1;
      await inWorld({ from: snapshot, parents, seed: 4 }, async ({ resync, rest, find, state }) => {
        await resync();
        await rest();
        if (end === 'gone') assert.equal(find(cast.webRef(place)), undefined, `after ${calls} calls`);
        else assert.notEqual(state('late'), undefined, `after ${calls} calls`);
      });
    }
    assert.ok(taken >= 4, `only ${taken} backups`);
  });
}

test('X15: resourceVersions that went back are no older than they say: the next change is taken', async () => {
  await inWorld({ from, parents }, async ({ user, settle, state, see, rest }) => {
    for (const remotePort of [7003, 7004]) await user.patch(cast.webRef(place), { spec: { expose: { remotePort } } });
    await settle();
    const { generation } = see(cast.webRef(place)).metadata;
    const told = see(cast.webRef(place)).status?.observedGeneration;
    assert.equal(told, generation);
    assert.equal(state(), 'Running');
    await rest();
  });
});
