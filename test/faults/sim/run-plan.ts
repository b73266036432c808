import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { Plan, SchedulePlan } from '../plan.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { inSequence, runSchedule, type ScheduleParts } from '../schedules/run-schedule.ts';
import { runStormPlan } from '../storm/seek.ts';
import type { Verdict } from '../verdict.ts';
import { givenOf, prepare } from './prepare.ts';
import { runFaultPlan } from './run-fault-plan.ts';

/** Runs any plan on the embedded API. Fails where it names a scenario that there is not. */
export async function runPlan(plan: Plan): Promise<Verdict> {
  switch (plan.kind) {
    case 'faults':
      return runFaultPlan(plan, await prepare(scenarioOf(plan.scenario)));
    case 'schedule':
      return runPlannedSchedule(plan);
    case 'storm':
      return runStormPlan(plan);
  }
}

async function runPlannedSchedule({ scenarios: names, first, preemptions }: SchedulePlan): Promise<Verdict> {
  const members = names.map(scenarioOf);
  const [one] = members;
  if (one === undefined) throw new Error('a schedule has no scenario');
  const parts = { from: await givenOf(one), scenarios: members };
  return runSchedule({ first, preemptions }, { ...parts, cleans: await cleansOf(parts) });
}

/** Of two, in either order; the end of more hangs on who comes between. */
async function cleansOf(parts: ScheduleParts): Promise<readonly Trace[]> {
  if (parts.scenarios.length !== 2) return [];
  return [await inSequence(parts, [0, 1]), await inSequence(parts, [1, 0])];
}

function scenarioOf(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return found;
}
