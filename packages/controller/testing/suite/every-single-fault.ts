import { refOf } from '../../domain/kube-object.ts';
import { rowKind } from '../../functions/change-rows.ts';
import { keyOf } from '../oracles/judged.ts';
import { oracles } from '../oracles/oracles.ts';
import { withoutStacks } from '../sim/stacks.ts';
import type { Trace } from '../trace.ts';
import { functionsOf } from './functions.ts';
import { givenOf, type Played, type Playing, play } from './play.ts';
import { emptyCluster, parentsOf } from './prepare.ts';
import { stopOf } from './stop.ts';
import type { EndOfScenario, FaultFailure, FaultScenario, FaultSuite, FaultsFound } from './suite.ts';
import { type Trouble, troublesOf } from './trouble.ts';

/**
 * Plays each scenario once without a fault, then anew for each API call and each event with every single thing that can
 * go wrong there, and holds each run to the oracles. All of it is in memory, and the same each time. Throws an Error where there
 * is no scenario, or one makes no API call: nothing would be tried.
 */
export async function everySingleFault(suite: FaultSuite): Promise<FaultsFound> {
  if (suite.scenarios.length === 0)
    throw new Error('there are no scenarios, so nothing can be tried: give at least one');
  const found = { plans: 0, calls: 0, failures: [] as FaultFailure[] };
  const empty = emptyCluster(suite);
  const functions = functionsOf(suite);
  const parentKinds = new Set(suite.resources.map(rowKind));
  await withoutStacks(async () => {
    for (const scenario of suite.scenarios) {
      const home = { scenario, functions, parentKinds, parents: parentsOf(scenario, suite) };
      const { plans, calls, failures } = await tryScenario({ ...home, from: empty }, suite);
      found.plans += plans;
      found.calls += calls;
      found.failures.push(...failures);
    }
  });
  return found;
}

async function tryScenario(empty: Playing, suite: FaultSuite): Promise<FaultsFound> {
  const { scenario } = empty;
  const given = await givenOf(empty).catch(stopOf);
  if ('oracle' in given)
    return { plans: 0, calls: 0, failures: [{ scenario: scenario.name, fault: 'nothing', at: 'given', ...given }] };
  const playing = { ...empty, from: given };
  const clean = await play(playing);
  const judging = { suite, scenario, clean: clean.trace };
  const failures = [...failuresOf(clean, undefined, judging)];
  // A run that is wrong by itself says the same of every fault.
  if (failures.length > 0) return { plans: 0, calls: callsOf(clean.trace), failures };
  if (callsOf(clean.trace) === 0) {
    throw new Error(`the scenario ${scenario.name} makes no API call: its steps must wake one of the resources`);
  }
  const troubles = troublesOf(clean, suite);
  for (const [index, trouble] of troubles.entries()) {
    failures.push(...failuresOf(await play(playing, trouble), trouble, judging));
    suite.onProgress?.(scenario.name, index + 1, troubles.length);
  }
  return { plans: troubles.length, calls: callsOf(clean.trace), failures };
}

function callsOf({ calls, marks }: Trace): number {
  return calls.filter(({ at }) => at < marks.lifted).length;
}

interface Judging {
  readonly suite: FaultSuite;
  readonly scenario: FaultScenario;
  readonly clean: Trace;
}

function failuresOf(
  { trace, stopped, isHit }: Played,
  trouble: Trouble | undefined,
  { suite, scenario, clean }: Judging,
): readonly FaultFailure[] {
  const { fault = 'nothing', at = 'any call', altersEnd = false } = trouble ?? {};
  const failure = (oracle: string, what: string): FaultFailure => ({
    scenario: scenario.name,
    fault,
    at,
    oracle,
    what,
  });
  if (stopped !== undefined) return [failure(stopped.oracle, stopped.what)];
  if (!isHit) return [failure('decides-the-same', `${at} never came: with the same cluster, other calls are made`)];
  const judged = { trace, clean, resources: suite.resources, altersEnd };
  const said = Object.entries(oracles).flatMap(([oracle, judge]) =>
    judge(judged)
      .slice(0, mostOfEach)
      .map((what) => failure(oracle, what)),
  );
  return altersEnd ? said : [...said, ...disappointed(scenario, trace).map((what) => failure('as-expected', what))];
}

/** Of one run and one oracle: the rest says the same. */
const mostOfEach = 3;

function disappointed({ expect }: FaultScenario, { resting }: Trace): readonly string[] {
  const end: EndOfScenario = {
    get: (ref) => resting.find((object) => keyOf(refOf(object)) === keyOf(ref)),
    list: ({ apiVersion, kind, namespace }) =>
      resting.filter(
        (object) =>
          rowKind(object) === rowKind({ apiVersion, kind }) &&
          (namespace ?? object.metadata.namespace) === object.metadata.namespace,
      ),
  };
  try {
    expect?.(end);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
