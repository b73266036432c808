import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { isOver, type Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place, prepare } from '../sim/prepare.ts';
import { inWorld } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));
const change = { spec: { expose: { remotePort: 7002 } } };

function nextDue({ queue }: Simulation): Due {
  const due = queue.shift();
  assert.ok(due, 'no event waits');
  return due;
}

async function finish(simulation: Simulation, run: Awaited<ReturnType<Simulation['start']>>): Promise<void> {
  for (let turns = 0; turns < 500 && !isOver(run); turns += 1) {
    if (await simulation.step(run)) continue;
    simulation.clock.advance();
    await simulation.breathe();
  }
  assert.ok(isOver(run));
}

for (const steps of [1, 6, 10, 14, 16]) {
  test(`E7: a handler that is given up after ${steps} calls, and goes on behind its successor, takes nothing back`, async () => {
    await inWorld({ from, coalesce: false }, async ({ simulation, user, settle, see, state, rest }) => {
      await user.patch(cast.webRef(place), change);
      const due = nextDue(simulation);
      const zombie = await simulation.start(due, true);
      for (let step = 0; step < steps; step += 1) await simulation.step(zombie);
      await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7003 } } });
      const second = await simulation.start({ ...due, attempt: 1 }, true);
      await finish(simulation, second);
      await settle();
      assert.match(see(cast.childRef(place, 'config')).data?.['frpc.json'] ?? '', /7003/);
      assert.equal(state(), 'Running');
      await rest();
    });
  });
}

const turns = Array.from({ length: 12 }, (_, seed) => seed + 1);
test(`E8: three handlers of one object in any of ${turns.length} drawn orders end as one does`, async () => {
  const scenario = cast.aboutWeb({
    name: 'changed',
    given: cast.withEveryChild,
    when: async (user, at) => void (await user.patch(cast.webRef(at), change)),
  });
  const prepared = await prepare(scenario);
  for (const seed of turns) {
    const chance = createChance(seed);
    await inWorld({ from: prepared.from, coalesce: false }, async ({ simulation, user, settle, rest }) => {
      await scenario.when(user, place);
      const due = nextDue(simulation);
      const runs = [];
      for (let count = 0; count < 3; count += 1) runs.push(await simulation.start(due, true));
      for (let turn = 0; turn < 80; turn += 1) {
        const run = runs[chance.below(runs.length)];
        if (run !== undefined) await simulation.step(run);
      }
      await settle();
      await rest(prepared.clean);
    });
  }
});

test('E9: a Broker that loses all it holds, again and again, delays and spoils nothing', async () => {
  await inWorld({ from, coalesce: false }, async ({ simulation, user, settle, resync, state, see, rest }) => {
    await user.patch(cast.webRef(place), change);
    simulation.queue.length = 0;
    await settle();
    await user.delete(cast.childRef(place, 'config'));
    const run = await simulation.start(nextDue(simulation));
    for (let step = 0; step < 5; step += 1) await simulation.step(run);
    simulation.kill(run.process);
    simulation.collect();
    simulation.queue.length = 0;
    await resync();
    assert.match(see(cast.childRef(place, 'config')).data?.['frpc.json'] ?? '', /7002/);
    assert.equal(state(), 'Running');
    await rest();
  });
});

test('E10: a process that is ended at any of its calls leaves nothing that the next does not find', async () => {
  let ended = 0;
  for (let calls = 0; calls < 60; calls += 4) {
    let made = 0;
    await inWorld({ from, coalesce: false }, async ({ simulation, user, settle, state, see, rest }) => {
      await user.patch(cast.webRef(place), change);
      const run = await simulation.start(nextDue(simulation));
      while (made < calls && (await simulation.step(run))) made += 1;
      simulation.kill(run.process);
      await settle();
      assert.equal(state(), 'Running', `ended after ${calls} calls`);
      assert.match(see(cast.childRef(place, 'config')).data?.['frpc.json'] ?? '', /7002/);
      await rest();
    });
    if (made < calls) break;
    ended += 1;
  }
  assert.ok(ended >= 3, `only ${ended} points`);
});

for (const [failures, outcome] of [
  [1, 'by itself'],
  [3, 'by itself'],
  [4, 'at the resync'],
] as const) {
  test(`E11: a function that takes too long to start ${failures} times in a row is made good ${outcome}`, async () => {
    await inWorld({ from, coalesce: false }, async ({ simulation, user, settle, resync, see, rest, state }) => {
      await user.patch(cast.webRef(place), change);
      const due = nextDue(simulation);
      // The Broker has used its tries and has had no answer; after the fourth it lets go.
      if (failures <= 3) simulation.queue.push({ ...due, attempt: failures });
      await settle();
      if (outcome === 'at the resync') {
        assert.match(see(cast.childRef(place, 'config')).data?.['frpc.json'] ?? '', /7001/);
        await resync();
      }
      assert.match(see(cast.childRef(place, 'config')).data?.['frpc.json'] ?? '', /7002/);
      assert.equal(state(), 'Running');
      await rest();
    });
  });
}

test('E12: what our own writes set off dies out, and no event follows when all is at rest', async () => {
  await inWorld({ from, coalesce: false }, async ({ simulation, user, settle, writes }) => {
    await user.patch(cast.webRef(place), change);
    await settle();
    const { answers } = simulation.trace([]);
    const last = answers.at(-1);
    assert.match(last?.headers['knudge-outcome'] ?? '', /writes=0/);
    assert.ok(answers.length <= 40, `${answers.length} events for one change`);
    const before = [answers.length, writes().length];
    simulation.clock.pass(3_600_000);
    await settle();
    assert.deepEqual([simulation.trace([]).answers.length, writes().length], before);
  });
});
