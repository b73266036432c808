import { drain, NeverAtRest } from '../../../packages/controller/testing/sim/drain.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { inSequence, runSchedule } from '../schedules/run-schedule.ts';
import { judgeRun } from '../sim/judge.ts';
import { heal, type Prepared, place, prepare, userOf } from '../sim/prepare.ts';
import { type SimulationParts, startSimulation } from '../sim/simulation.ts';
import type { Attempt } from './attempts.ts';
import { runWithNoise } from './noise.ts';
import { ownScenarios } from './own-scenarios.ts';
import { scramble } from './scramble.ts';

/** Seeds of the preparation are below: a uid must not come twice. */
const firstSeed = 1000;

const known: ReadonlyMap<string, Scenario> = new Map([...scenarios, ...ownScenarios].map((one) => [one.name, one]));
const preparing = new Map<string, Promise<Prepared>>();

export type Ready = { readonly prepared: Prepared } | { readonly finding: Finding } | { readonly problem: string };

/** A scenario by its name, prepared once. A fault can be so bad that it never rests, or that its person finds nothing to do. */
export async function readyFor(name: string): Promise<Ready> {
  const scenario = known.get(name);
  if (scenario === undefined) return { problem: 'there is no such scenario' };
  const prepared = preparing.get(name) ?? prepare(scenario);
  preparing.set(name, prepared);
  try {
    return { prepared: await prepared };
  } catch (error) {
    return error instanceof NeverAtRest ? { finding: restless(error) } : { problem: messageOf(error) };
  }
}

/** Lets go of what was prepared: some scenarios are large. */
export function forget(name: string): void {
  preparing.delete(name);
}

/** Makes one attempt; gives what the oracles say of it. Throws where its scenario cannot be prepared. */
export async function runAttempt(attempt: Attempt): Promise<readonly Finding[]> {
  const ready = await readyFor(attempt.scenario);
  if ('finding' in ready) return [ready.finding];
  if ('problem' in ready) throw new Error(`${attempt.scenario}: ${ready.problem}`);
  try {
    return await make(attempt, ready.prepared);
  } catch (error) {
    if (error instanceof NeverAtRest) return [restless(error)];
    throw error;
  }
}

function restless({ message }: NeverAtRest): Finding {
  return { oracle: 'O10', what: message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function make(attempt: Attempt, prepared: Prepared): Promise<readonly Finding[]> {
  switch (attempt.layer) {
    case 'calm':
      return judgeRun(prepared.clean, prepared.clean);
    case 'noise':
      return runWithNoise(prepared, attempt.seed);
    case 'losses':
      return withLosses(prepared, attempt.seed);
    case 'turns':
      return withTurns(prepared, attempt.seed);
    case 'faults':
      return judged(prepared, { faults: attempt.faults, seed: 1, altersEnd: attempt.altersEnd }, drain);
    case 'storms':
      return inStorm(prepared, attempt);
    case 'schedules':
      return withMate(prepared, known.get(attempt.mate) ?? prepared.scenario, attempt.turns);
  }
}

type Parts = Omit<SimulationParts, 'from' | 'parents'> & { readonly altersEnd?: boolean };

/** The scenario, then what `drive` makes of it, then healing and judgement. */
async function judged(
  { scenario, from, clean }: Prepared,
  { altersEnd = false, ...parts }: Parts,
  drive: (simulation: Simulation) => Promise<void>,
): Promise<readonly Finding[]> {
  const simulation = startSimulation({ ...parts, from, parents: scenario.parents(place) });
  try {
    await scenario.when(userOf(simulation), place);
    await drive(simulation);
    return judgeRun(await heal(simulation), altersEnd ? undefined : clean);
  } finally {
    simulation.close();
  }
}

const sequences = new Map<string, Promise<readonly Trace[]>>();

async function withMate(
  { scenario, from }: Prepared,
  mate: Scenario,
  turns: Extract<Attempt, { layer: 'schedules' }>['turns'],
): Promise<readonly Finding[]> {
  const both = { from, scenarios: [scenario, mate] };
  const key = JSON.stringify([scenario.name, mate.name]);
  const sequence = sequences.get(key) ?? Promise.all([inSequence(both, [0, 1]), inSequence(both, [1, 0])]);
  sequences.set(key, sequence);
  return (await runSchedule(turns, { ...both, cleans: await sequence })).findings;
}

/** Until the first tick of the resync every event of the sources is lost, or every second one. */
function withLosses(prepared: Prepared, seed: number): Promise<readonly Finding[]> {
  const chance = createChance(seed);
  let healing = false;
  const fate = (event: CloudEvent) => {
    if (event.attributes['type'] === 'dev.knative.sources.ping') healing = true;
    const isLost = !healing && String(event.attributes['type']).startsWith('dev.knative.apiserver');
    return isLost && (seed === 1 || chance.below(2) === 0) ? [] : [event];
  };
  return judged(prepared, { seed: firstSeed + seed, fate }, drain);
}

/** Several handlers at a time, in an order of chance. */
function withTurns(prepared: Prepared, seed: number): Promise<readonly Finding[]> {
  return judged(prepared, { seed: firstSeed + seed }, async (simulation) => {
    await scramble(simulation, createChance(seed));
    await drain(simulation);
  });
}

/** Several handlers at a time, a broken call, one event in four lost and one in four doubled. */
function inStorm(
  prepared: Prepared,
  { seed, faults, altersEnd }: Extract<Attempt, { layer: 'storms' }>,
): Promise<readonly Finding[]> {
  const chance = createChance(seed);
  let healing = false;
  const fate = (event: CloudEvent) =>
    healing ? [event] : ([[], [event], [event], [event, event]][chance.below(4)] ?? []);
  return judged(prepared, { seed: firstSeed + seed, faults, altersEnd, fate }, async (simulation) => {
    await scramble(simulation, chance);
    await drain(simulation);
    healing = true;
  });
}
