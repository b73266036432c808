import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drain } from '../../../packages/controller/testing/sim/drain.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { faultShare } from '../share.ts';
import { givenOf, heal, place, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import { withOwnSource } from '../sim/source.ts';
import { scramble } from './scramble.ts';

/** How often each scenario runs, with several handlers at a time, and behind each source. */
const seeds = [1, 2, 3];

it("what Knudge's own source leaves out is missed by nobody: in no scenario has the resync more to do than behind ApiServerSources", async (t) => {
  const mine = faultShare.of(scenarios);
  const more: string[] = [];
  const answers = { usual: 0, own: 0 };
  for (const [index, scenario] of mine.entries()) {
    const from = await givenOf(scenario);
    const usual = await Promise.all(seeds.map((seed) => run(scenario, from, seed)));
    const own = await withOwnSource(() => Promise.all(seeds.map((seed) => run(scenario, from, seed))));
    const [foundUsual, foundOwn] = [usual, own].map((traces) => traces.map(foundBy));
    const most = Math.max(...(foundUsual ?? []).map(({ length }) => length));
    for (const [at, found] of (foundOwn ?? []).entries())
      if (found.length > most) more.push(`${scenario.name}, seed ${String(seeds[at])}: ${found.join(', ')}`);
    answers.usual += usual.reduce((sum, trace) => sum + trace.answers.length, 0);
    answers.own += own.reduce((sum, trace) => sum + trace.answers.length, 0);
    if (index % 40 === 39) console.log(`${index + 1} of ${mine.length} scenarios`);
  }
  t.diagnostic(
    `counted: own source: ${answers.own} answers of functions in ${mine.length} scenarios, behind ApiServerSources ${answers.usual}`,
  );
  assert.deepEqual(more, []);
  assert.ok(answers.own < answers.usual, 'it left nothing out');
});

async function run(scenario: Scenario, from: Snapshot, seed: number): Promise<Trace> {
  const simulation = startSimulation({
    from,
    seed: 2000 + seed,
    rival: scenario.rival,
    parents: scenario.parents(place),
  });
  try {
    await scenario.when(userOf(simulation), place);
    await scramble(simulation, createChance(seed));
    await drain(simulation);
    return await heal(simulation);
  } finally {
    simulation.close();
  }
}

/** What the first resync after a scenario has written. */
function foundBy({ changes, marks }: Trace): readonly string[] {
  return changes
    .filter(({ at, by }) => by.who === 'run' && at > marks.lifted && at < marks.rest)
    .map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`);
}
