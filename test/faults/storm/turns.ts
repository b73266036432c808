import { letTimePass } from '../../../packages/controller/testing/sim/drain.ts';
import type { Chance } from '../../../packages/controller/testing/sim/random.ts';
import type { Run } from '../../../packages/controller/testing/sim/run.ts';
import { isOver, type Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { MutableTally } from './tally.ts';
import { inV1, type Versions } from './versions.ts';

export interface Turning {
  readonly simulation: Simulation;
  readonly versions: Versions;
  readonly tally: MutableTally;
  /** Whether the other version takes events too. */
  readonly isMixed: boolean;
  readonly chance: Chance;
}

interface Turn {
  readonly weight: number;
  readonly take: () => Promise<unknown>;
}

/** This many handlers work at the same time. */
const mostRuns = 6;

/** Retries of the Broker come within this time; what is due later does not come by waiting alone. */
const horizonMs = 60_000;

/** The one that chance chooses makes a step: a handler its next API call, a controller its next task, an event its arrival, or time passes. */
export async function takeTurn(turning: Turning): Promise<void> {
  const { simulation, chance, tally } = turning;
  simulation.collect();
  tally.turns += 1;
  const turns = possible(turning);
  let point = chance.next() * turns.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, take } of turns) {
    point -= weight;
    if (point > 0) continue;
    await take();
    return;
  }
}

function possible(turning: Turning): readonly Turn[] {
  const { simulation } = turning;
  const { cluster, queue, runs, clock } = simulation;
  const able = runs.filter(({ calls }) => calls.length > 0);
  const late = simulation.late();
  const isIdle = able.length === 0 && late === undefined && cluster.tasks() === 0 && queue.length === 0;
  const next = clock.next();
  const isSoon = next !== undefined && (runs.length > 0 || next <= clock.elapsed() + horizonMs);
  return [
    ...able.map((run) => ({ weight: 4, take: () => simulation.step(run) })),
    ...(late === undefined ? [] : [{ weight: 1, take: () => simulation.step(late) }]),
    ...(cluster.tasks() === 0 ? [] : [{ weight: 4, take: async () => runTask(simulation) }]),
    ...(queue.length === 0 || runs.length >= mostRuns ? [] : [{ weight: 3, take: () => startOne(turning) }]),
    ...(isSoon ? [{ weight: isIdle ? 1 : 0.2, take: () => letTimePass(simulation, Number.POSITIVE_INFINITY) }] : []),
  ];
}

function runTask({ recorder, cluster }: Simulation): void {
  recorder.by = { who: 'cluster' };
  cluster.runTask();
}

/** Mostly the oldest event; sometimes one that overtakes it, and sometimes to a process of its own. */
async function startOne({ simulation, versions, tally, isMixed, chance }: Turning): Promise<Run | undefined> {
  const { queue } = simulation;
  const index = chance.below(3) === 0 ? chance.below(queue.length) : 0;
  const [due] = queue.splice(index, 1);
  if (due === undefined) return undefined;
  if (index > 0) tally.events.overtaken += 1;
  const isOther = isMixed && chance.below(2) === 0;
  if (!isOther) return simulation.start(due, chance.below(3) === 0);
  tally.otherVersion += 1;
  const isRenamed = chance.below(2) === 0;
  if (isRenamed) tally.events['as-v1'] += 1;
  versions.other = true;
  try {
    const run = await simulation.start(isRenamed ? inV1(due) : due, true);
    versions.processes.push(run.process);
    return run;
  } finally {
    versions.other = false;
  }
}

/** Lets all that works come to an end; events wait. */
export async function finishRuns(simulation: Simulation): Promise<void> {
  for (;;) {
    simulation.collect();
    const run = simulation.runs[0] ?? simulation.late();
    if (run === undefined) return;
    if (await simulation.step(run)) continue;
    if (!isOver(run) && !(await letTimePass(simulation, Number.POSITIVE_INFINITY))) return;
  }
}
