import { NeverAtRest, patienceWith } from '../../../packages/controller/testing/sim/drain.ts';
import type { Chance } from '../../../packages/controller/testing/sim/random.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';

/** This many events are dealt with at a time, in processes of their own or in one. */
const mostAtOnce = 3;
/** What is due later keeps nobody from rest. */
const horizonMs = 60_000;

/**
 * Runs until all is at rest, as `drain` does, but with several handlers at a time: after each API call chance says who goes
 * on. It seldom turns from one to another, for most races need only one or two turns.
 */
export async function scramble(simulation: Simulation, chance: Chance): Promise<void> {
  const at = { simulation, chance, turn: 0 };
  const most = patienceWith(simulation);
  for (let steps = 0; steps < most; steps += 1) {
    simulation.collect();
    const moved = (await takeEvent(at)) || (await goOn(at)) || runCluster(simulation) || (await passTime(simulation));
    if (!moved) return;
  }
  throw new NeverAtRest(`not at rest after ${String(most)} steps of several handlers`);
}

interface At {
  readonly simulation: Simulation;
  readonly chance: Chance;
  turn: number;
}

async function takeEvent({ simulation: { queue, runs, start }, chance }: At): Promise<boolean> {
  const isTime = runs.length === 0 || (runs.length < mostAtOnce && chance.below(3) === 0);
  if (!isTime) return false;
  const [due] = queue.splice(chance.below(queue.length), 1);
  if (due === undefined) return false;
  await start(due, chance.below(2) === 0);
  return true;
}

async function goOn(at: At): Promise<boolean> {
  const { simulation, chance } = at;
  if (chance.below(4) === 0) at.turn = chance.below(mostAtOnce);
  const able = simulation.runs.filter(({ calls }) => calls.length > 0);
  const run = able[at.turn % Math.max(able.length, 1)] ?? simulation.late();
  return run !== undefined && simulation.step(run);
}

function runCluster({ cluster, recorder }: Simulation): boolean {
  if (cluster.tasks() === 0) return false;
  recorder.by = { who: 'cluster' };
  cluster.runTask();
  return true;
}

async function passTime({ clock, runs, queue, breathe }: Simulation): Promise<boolean> {
  if (runs.some(({ answer, process }) => answer !== undefined || process.dead)) return true;
  const next = clock.next();
  if (next === undefined) return false;
  if (next > clock.elapsed() + horizonMs && runs.length === 0 && queue.length === 0) return false;
  clock.advance();
  await breathe();
  return true;
}
