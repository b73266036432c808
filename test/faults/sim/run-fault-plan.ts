import { drain, NeverAtRest } from '../../../packages/controller/testing/sim/drain.ts';
import type { Finding } from '../../../packages/controller/testing/trace.ts';
import type { FaultPlan } from '../plan.ts';
import type { Verdict } from '../verdict.ts';
import { judgeRun } from './judge.ts';
import { heal, type Prepared, place, userOf } from './prepare.ts';
import { startSimulation } from './simulation.ts';

/** Runs a scenario with faults on the embedded API, in milliseconds, always the same; and judges it. */
export async function runFaultPlan(plan: FaultPlan, prepared: Prepared): Promise<Verdict> {
  const { faults } = plan;
  const { scenario, from, clean } = prepared;
  const simulation = startSimulation({ from, seed: 1, parents: scenario.parents(place), faults });
  try {
    await scenario.when(userOf(simulation), place);
    await drain(simulation);
    const trace = await heal(simulation, { isHurried: true });
    return { unreached: simulation.gate.missed(), findings: judgeRun(trace, clean), trace };
  } catch (error) {
    if (!(error instanceof NeverAtRest)) throw error;
    return { unreached: simulation.gate.missed(), findings: [restless(error)], trace: simulation.trace([]) };
  } finally {
    simulation.close();
  }
}

function restless({ message }: NeverAtRest): Finding {
  return { oracle: 'O10', what: message };
}
