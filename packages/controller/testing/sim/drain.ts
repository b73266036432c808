import { isOver, type Simulation } from './simulation.ts';

/**
 * The steps that a cluster may need to come to rest, always and for each object that is there; more means that it never
 * does. Measured: the longest of all scenarios without faults took 418 steps with 73 objects, the longest of 25
 * storms 911 with 74.
 */
const mostSteps = { always: 4000, each: 50 } as const;

/** Nothing waits longer than this for its next try: what is due later does not keep from rest. */
const horizonMs = 60_000;

/** Throws where it does not come to rest: oracle O10 of the most serious kind. */
export class NeverAtRest extends Error {}

/**
 * Runs everything in turn until all is at rest: an invocation to its end, then the cluster's own controllers, then the next
 * event, then time.
 */
export async function drain(simulation: Simulation): Promise<void> {
  const most = patienceWith(simulation);
  for (let steps = 0; steps < most; steps += 1) if (!(await goOn(simulation))) return;
  throw new NeverAtRest(`not at rest after ${String(most)} steps`);
}

/** How many steps it may take from here to rest. */
export function patienceWith({ cluster }: Simulation): number {
  return mostSteps.always + mostSteps.each * cluster.api.client.all().length;
}

/** Does one thing; false where there is nothing to do. */
async function goOn(simulation: Simulation): Promise<boolean> {
  const { cluster, queue, recorder } = simulation;
  simulation.collect();
  const run = simulation.runs[0] ?? simulation.late();
  if (run !== undefined) {
    if (await simulation.step(run)) return true;
    // What hands out events may have begun it just now, and then it does not stand at its first calls yet.
    await simulation.breathe();
    if (run.calls.length > 0) return true;
    if (!isOver(run) && !(await letTimePass(simulation, Number.POSITIVE_INFINITY))) {
      throw new NeverAtRest(`a run of ${run.due.stem} waits for nothing`);
    }
    return true;
  }
  if (cluster.tasks() > 0) {
    recorder.by = { who: 'cluster' };
    cluster.runTask();
    return true;
  }
  const due = queue.shift();
  if (due === undefined) return letTimePass(simulation, horizonMs);
  await simulation.start(due);
  return true;
}

/** Goes on to the next thing that waits for its time, if that is so near. */
export async function letTimePass({ clock, breathe }: Simulation, withinMs: number): Promise<boolean> {
  const next = clock.next();
  if (next === undefined || next > clock.elapsed() + withinMs) return false;
  clock.advance();
  await breathe();
  return true;
}
