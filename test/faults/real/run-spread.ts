import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import type { FaultPlan } from '../plan.ts';
import { createProgress } from '../progress.ts';
import type { Scenario } from '../scenario.ts';
import { atOnce } from './at-once.ts';
import type { RealCluster } from './open-real.ts';
import { judgePlan, runPlan } from './run-real-plan.ts';
import type { RealRun } from './run-scenario.ts';
import { type Spread, spreadPlans } from './spread-plans.ts';
import type { StageParts } from './stage.ts';

export interface SpreadParts extends Pick<StageParts, 'troupe'> {
  readonly cluster: RealCluster;
  readonly scenarios: readonly Scenario[];
  /** Of all faults at all calls; all if absent. */
  readonly isWanted?: (kind: string) => boolean;
  readonly plans: number;
  /** Most of the time a run waits for the cluster or for a time-out. */
  readonly mostAtOnce: number;
  /** No further run begins when it is aborted. */
  readonly signal?: AbortSignal;
}

/** What a spread of plans has shown. */
export interface SpreadResult {
  readonly plans: number;
  readonly reached: number;
  readonly scenarios: number;
  readonly boundaries: number;
  readonly kinds: number;
  readonly seconds: number;
  /** Each plan that did not end as it should, with what is wrong. */
  readonly wrong: readonly string[];
}

/** Runs each scenario without faults, then this many plans, and says on standard error how it goes on and what is wrong. */
export async function runSpread(parts: SpreadParts): Promise<SpreadResult> {
  const { scenarios, mostAtOnce: most, signal, isWanted = () => true } = parts;
  const began = performance.now();
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  const cleans = new Map<string, RealRun>();
  const cleaned = createProgress('scenarios without faults', scenarios.length);
  await atOnce(scenarios, { most, signal }, async ({ name }) => {
    cleans.set(name, await runPlan({ kind: 'faults', scenario: name, faults: [] }, parts));
    cleaned(cleans.size);
  });
  // In the order of the table, whatever the order in which the runs ended.
  const rows = scenarios.flatMap(({ name }) => cleans.get(name) ?? []).map((run) => [run.scenario, run.trace] as const);
  const chosen = spreadPlans(
    new Map(rows),
    kinds.filter(({ id }) => isWanted(id)),
    parts.plans,
  ).map((one) => ({ ...one, plan: inAnyPlace(one.plan) }));
  const wrong: string[] = [];
  let [done, reached] = [0, 0];
  const progress = createProgress('plans', chosen.length);
  await atOnce(longestFirst(chosen), { most, signal }, async ({ plan }) => {
    const said = await faultsOf(plan, cleans.get(plan.scenario), parts);
    done += 1;
    reached += said.includes(unreachedSaid) ? 0 : 1;
    if (said.length > 0) wrong.push(`${JSON.stringify(plan)}\n  ${said.join('\n  ')}`);
    if (said.length > 0) process.stderr.write(`${wrong.at(-1) ?? ''}\n`);
    progress(done);
  });
  return { plans: done, reached, ...countsOf(chosen), seconds: seconds(), wrong };
}

/** The name of a Claim is a hash of the namespace of its server, which is another one in each run: the first of them is meant. */
function inAnyPlace(plan: FaultPlan): FaultPlan {
  const faults = plan.faults.map((fault) => {
    const { name: _, ...match } = fault.match;
    return fault.match.resource === 'claims' ? { ...fault, match: { ...match, nth: 1 } } : fault;
  });
  return { ...plan, faults };
}

/** So that nothing has to be waited for at the end. */
function longestFirst(chosen: readonly Spread[]): readonly Spread[] {
  return chosen.toSorted((one, other) => waitOf(other) - waitOf(one));
}

/** About how many seconds the faults of a plan make a function wait; it is tried again, and its next call may wait too. */
function waitOf({ plan }: Spread): number {
  const waits = plan.faults.map(({ action, times = 1 }) => {
    const each = action.do === 'delay' ? action.ms / 1000 : action.do === 'hang' ? 5 : 0;
    return each * (times === 'on' ? 20 : times);
  });
  return Math.max(0, ...waits);
}

const unreachedSaid = 'the fault was not reached';

/** The controllers of Kubernetes may be sooner or later than in the run without faults: then a call may not be made. */
const mostTries = 3;

/** What is wrong with a plan, in sentences. A run that shows nothing is wrong too. */
async function faultsOf(plan: FaultPlan, clean: RealRun | undefined, parts: SpreadParts): Promise<readonly string[]> {
  if (clean === undefined) return ['there is no run without faults to compare with'];
  try {
    for (let tries = 1; ; tries += 1) {
      const { unreached, findings } = judgePlan(plan, await runPlan(plan, parts), clean);
      const said = findings.map(({ oracle, what }) => `${oracle}: ${what}`);
      if (unreached.length === 0) return said;
      if (tries === mostTries) return [unreachedSaid, ...said];
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function countsOf(chosen: readonly Spread[]): Pick<SpreadResult, 'scenarios' | 'boundaries' | 'kinds'> {
  const count = (of: (one: Spread) => string): number => new Set(chosen.map(of)).size;
  return {
    scenarios: count(({ plan }) => plan.scenario),
    boundaries: count(({ boundary }) => boundary),
    kinds: count(({ kind }) => kind),
  };
}

/** The counts in a sentence, for the end of a test. */
export function lineOf({ plans, reached, scenarios, boundaries, kinds: count, wrong, seconds }: SpreadResult): string {
  const what = `${String(plans)} plans on a real API server, ${String(reached)} of them reached`;
  const spread = `${String(scenarios)} scenarios, ${String(boundaries)} boundaries, ${String(count)} kinds of faults`;
  return `counted: ${what}: ${spread}, ${String(wrong.length)} wrong, ${String(seconds)} s`;
}
