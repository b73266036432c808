import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { inspect } from '../../../packages/issuing/inspect.ts';
import { altersEnd } from '../kinds/enumerate.ts';
import { createOracles } from '../oracles/oracles.ts';
import type { FaultPlan } from '../plan.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import type { Verdict } from '../verdict.ts';
import { openReal, type RealCluster } from './open-real.ts';
import { type RealRun, runScenario } from './run-scenario.ts';
import { hasDrawnAddresses, inPlace, withNumberedPods } from './same-names.ts';
import type { StageParts } from './stage.ts';

/**
 * Runs a plan on the API server of a kubeconfig, and its scenario once without faults before, in namespaces of their own
 * that stay behind. Throws where the test itself went wrong: then the run has shown nothing.
 */
export async function runRealPlan(plan: FaultPlan, kubeconfig: string): Promise<Verdict> {
  const cluster = await openReal(kubeconfig);
  try {
    const clean = await runPlan({ ...plan, faults: [] }, { cluster });
    return judgePlan(plan, await runPlan(plan, { cluster }), clean);
  } finally {
    await cluster.close();
  }
}

/** The same on a cluster that is open, without judging it. */
export async function runPlan(
  { scenario: name, faults }: FaultPlan,
  parts: Pick<StageParts, 'troupe'> & { readonly cluster: RealCluster },
): Promise<RealRun> {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}: see test/faults/scenarios`);
  const run = await runScenario({ ...parts, scenario, faults });
  const problems = [...run.problems, ...parts.cluster.watch.problems];
  if (problems.length > 0) throw new Error(`${name}: the run shows nothing: ${problems.join('; ')}`);
  return run;
}

/** What the oracles say; where somebody else's write may change the end for good, that is not compared. */
export function judgePlan(plan: FaultPlan, { trace, unreached, place }: RealRun, clean: RealRun): Verdict {
  const oracles = createOracles({ inspect, controllerNamespace: place.controller });
  const numbered = withNumberedPods(trace);
  const other = altersEnd(plan) ? undefined : withNumberedPods(inPlace(clean.trace, clean.place, place));
  const findings = oracles.judge(numbered, other).filter((finding) => !isOrderOfAddresses(finding, numbered));
  return { unreached, findings, trace: numbered };
}

/**
 * Knudge lists backends in the order of their addresses, and which of two gets the lower one is a matter of luck; so is the
 * address of a Service. That the list is right is what O1 finds out.
 */
function isOrderOfAddresses({ oracle, what }: Finding, trace: Trace): boolean {
  return oracle === 'O2' && /differs at (status\.endpoints|data\.eds\.json)/.test(what) && hasDrawnAddresses(trace);
}
