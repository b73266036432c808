import { withoutStacks } from '../../../packages/controller/testing/sim/stacks.ts';
import type { FaultPlan } from '../plan.ts';
import { createProgress } from '../progress.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { type Prepared, prepare } from '../sim/prepare.ts';
import { runFaultPlan } from '../sim/run-fault-plan.ts';
import { count, createTally, describeFailure, type Tally } from './tally.ts';

/** Every scenario of the table, prepared. */
export async function prepareAll(table: readonly Scenario[] = scenarios): Promise<ReadonlyMap<string, Prepared>> {
  const progress = createProgress('runs without faults', table.length);
  const rows = new Map<string, Prepared>();
  for (const scenario of table) {
    rows.set(scenario.name, await prepare(scenario));
    progress(rows.size);
  }
  return rows;
}

/** Runs these plans one after the other on the embedded API; says at once which of them fails. */
export function runPlans(plans: Iterable<FaultPlan>, rows: ReadonlyMap<string, Prepared>): Promise<Tally> {
  return withoutStacks(() => runEach(plans, rows));
}

async function runEach(plans: Iterable<FaultPlan>, rows: ReadonlyMap<string, Prepared>): Promise<Tally> {
  const tally = createTally();
  const progress = createProgress('plans');
  for (const plan of plans) {
    const prepared = rows.get(plan.scenario);
    if (prepared === undefined) throw new Error(`there is no scenario ${plan.scenario}`);
    const failed = count(tally, plan, await runFaultPlan(plan, prepared));
    if (failed !== undefined) process.stderr.write(`${describeFailure(failed)}\n`);
    progress(tally.plans);
  }
  return tally;
}
