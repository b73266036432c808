import type { Plan, SchedulePlan } from '../plan.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { inSequence, runSchedule } from '../schedules/run-schedule.ts';
import { runStorm } from '../storm/run-storm.ts';
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
      return runStorm(plan);
  }
}

async function runPlannedSchedule({ scenarios: names, first, preemptions }: SchedulePlan): Promise<Verdict> {
  const members = names.map(scenarioOf);
  const [one] = members;
  if (one === undefined) throw new Error('a schedule has no scenario');
  const parts = { from: await givenOf(one), scenarios: members };
  const order = members.map((_, index) => (first + index) % members.length);
  return runSchedule({ first, preemptions }, { ...parts, clean: await inSequence(parts, order) });
}

function scenarioOf(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return found;
}
