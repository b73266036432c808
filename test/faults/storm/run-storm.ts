import type { Fault } from '../../../packages/controller/testing/fault.ts';
import { drain, NeverAtRest } from '../../../packages/controller/testing/sim/drain.ts';
import { type Chance, createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { Refused, type User } from '../../../packages/controller/testing/user.ts';
import { judgeMixedRun } from '../sim/judge.ts';
import { resync, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import { tick } from '../sim/tick.ts';
import type { Verdict } from '../verdict.ts';
import type { StormContent } from './arbitraries.ts';
import { calmCluster } from './begin.ts';
import { differsFromFresh } from './fresh.ts';
import { type Operation, parents } from './operation.ts';
import { freeAll } from './operations/on-children.ts';
import { operations } from './operations/operations.ts';
import { count, emptyTally, type MutableTally, type Tally } from './tally.ts';
import { nameOfTrouble, type Trouble, type TroubleOfTurn } from './trouble.ts';
import { finishRuns, takeTurn } from './turns.ts';
import { twoVersions, type Versions } from './versions.ts';
import { brewWeather, type Weather } from './weather.ts';
import { flapping, writesOfLateEvents } from './winning.ts';

export interface Stormed extends Verdict {
  readonly tally: Tally;
  /** What the person did, in words. */
  readonly deeds: readonly string[];
}

interface Storm {
  readonly simulation: Simulation;
  readonly user: User;
  readonly weather: Weather;
  readonly versions: Versions;
  readonly tally: MutableTally;
  readonly deeds: string[];
  readonly troubles: readonly Trouble[];
  /** Until which turn two versions run. */
  mixedUntil: number;
}

/** Runs one storm to its end, lets all come to rest, and judges it. The same seed and content give the same. */
export async function runStorm(seed: number, [deeds, troubles]: StormContent): Promise<Stormed> {
  const tally = emptyTally();
  const versions = twoVersions();
  const weather = brewWeather(troubles, { turn: () => tally.turns, tally });
  const faults = troubles.flatMap((trouble) => (trouble.kind === 'call' ? [trouble.fault] : []));
  const { fate } = weather;
  const from = await calmCluster();
  const simulation = startSimulation({
    from,
    seed: simulationSeed(seed),
    parents,
    faults,
    fate,
    env: versions.env,
    coalesce: false,
  });
  const user = userOf(simulation);
  const storm: Storm = { simulation, user, weather, versions, tally, troubles, deeds: [], mixedUntil: -1 };
  try {
    await rage(storm, deeds, createChance(seed));
    countHits(storm, faults);
    const { trace, marks } = await calmDown(storm);
    tally.calls = trace.calls.length;
    tally.simulatedMs = simulation.clock.elapsed();
    const own = [...flapping(trace, marks.alone), ...writesOfLateEvents(trace, marks)];
    const findings = [...judgeMixedRun(trace), ...own, ...(await differsFromFresh(trace))];
    return { unreached: [], findings, trace, tally, deeds: storm.deeds };
  } catch (error) {
    if (!(error instanceof NeverAtRest)) throw error;
    const finding: Finding = { oracle: 'O10', what: error.message };
    return { unreached: [], findings: [finding], trace: simulation.trace([]), tally, deeds: storm.deeds };
  } finally {
    simulation.close();
  }
}

/** Far from the seed that made the cluster in which the storm begins: else the same uids would come again. */
function simulationSeed(seed: number): number {
  return Math.imul(seed + 1, 0x9e3779b1) >>> 0;
}

async function rage(storm: Storm, deeds: readonly Operation[], first: Chance): Promise<void> {
  await turn(storm, first, 3);
  for (const operation of deeds) {
    await act(storm, operation);
    await turn(storm, createChance(operation.order), operation.turns);
  }
}

/** What is gone, or not allowed, cannot be changed: the person shrugs. */
async function act({ user, tally, deeds }: Storm, { kind, who, how }: Operation): Promise<void> {
  const row = operations[kind];
  if (row === undefined) throw new Error(`nobody knows how to ${kind}`);
  try {
    const done = await row.deed({ user, who, how });
    if (done === undefined) {
      tally.idle += 1;
      return;
    }
    count(tally.operations, kind);
    deeds.push(`(turn ${tally.turns}) ${done}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tally.refused += 1;
  }
}

async function turn(storm: Storm, chance: Chance, turns: number): Promise<void> {
  const { simulation, weather, versions, tally, troubles } = storm;
  for (let left = turns; left > 0; left -= 1) {
    for (const trouble of troubles) {
      if (!('turn' in trouble) || trouble.turn !== tally.turns) continue;
      if (await befall(trouble, storm)) count(tally.troubles, nameOfTrouble(trouble));
    }
    simulation.queue.push(...weather.arrived(tally.turns));
    await takeTurn({ simulation, versions, tally, chance, isMixed: tally.turns < storm.mixedUntil });
  }
}

/** Whether there was anything that it could befall. */
async function befall(trouble: TroubleOfTurn, storm: Storm): Promise<boolean> {
  const { simulation, tally } = storm;
  const { clock } = simulation;
  switch (trouble.kind) {
    case 'kill': {
      const run = simulation.runs[trouble.which % Math.max(simulation.runs.length, 1)];
      if (run === undefined) return false;
      tally.kills += 1;
      simulation.kill(run.process);
      return true;
    }
    case 'jump':
      // Nobody is at work while days pass: else every deadline would be over, which no broken clock does.
      if (trouble.ms > 0) await finishRuns(simulation);
      clock.pass(trouble.ms);
      await simulation.breathe();
      return true;
    case 'version':
      storm.mixedUntil = Math.max(storm.mixedUntil, tally.turns + trouble.turns);
      return true;
    case 'tick':
      simulation.send(tick(clock.now(), `tick-in-turn-${tally.turns}`));
      return true;
  }
}

function countHits({ simulation, troubles, tally }: Storm, faults: readonly Fault[]): void {
  const missed = new Set(simulation.gate.missed());
  const hit = new Set(faults.filter((fault) => !missed.has(fault)));
  for (const trouble of troubles) {
    if (trouble.kind === 'call' && hit.has(trouble.fault)) count(tally.troubles, nameOfTrouble(trouble));
  }
}

export interface Marks {
  /** From here on only one version of the controller is at work. */
  readonly alone: number;
  /** Where the events came that had been under way for the whole storm. */
  readonly belated: number;
}

/** Longer than anybody works on an event, and than a call is under way: then a version that had to leave has left. */
const graceMs = 60_000;

/** The storm is over: one version remains, nothing is broken or lost, and what comes too late changes nothing. */
async function calmDown(storm: Storm): Promise<{ readonly trace: Trace; readonly marks: Marks }> {
  const { simulation, user, weather, versions } = storm;
  const { recorder, gate, cluster } = simulation;
  weather.clear();
  gate.lift();
  await finishRuns(simulation);
  for (const process of versions.processes) simulation.kill(process);
  simulation.clock.pass(graceMs);
  await simulation.breathe();
  await finishRuns(simulation);
  await freeAll(user);
  const alone = recorder.tick();
  recorder.mark('lifted');
  await drain(simulation);
  await resync(simulation);
  const belated = recorder.tick();
  simulation.queue.push(...weather.belated());
  await drain(simulation);
  recorder.mark('rest');
  const resting = cluster.api.client.all();
  await resync(simulation);
  await resync(simulation);
  recorder.mark('end');
  return { trace: simulation.trace(resting), marks: { alone, belated } };
}
