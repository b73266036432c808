import type { Finding } from '../../../packages/controller/testing/trace.ts';
import type { FaultPlan } from '../plan.ts';
import type { Verdict } from '../verdict.ts';

/** A plan that has shown a fault, or nothing. */
export interface Failure {
  readonly plan: FaultPlan;
  readonly findings: readonly Finding[];
  readonly unreached: boolean;
}

/** Counts of runs, with what went wrong. */
export interface Tally {
  plans: number;
  /** Of the second faults of pairs: the first may lead another way. */
  notReached: number;
  calls: number;
  readonly kinds: Set<string>;
  readonly failures: Failure[];
}

export function createTally(): Tally {
  return { plans: 0, notReached: 0, calls: 0, kinds: new Set(), failures: [] };
}

/** Takes the verdict of a plan in, and gives its failure; of two faults only the first must have been reached. */
export function count(tally: Tally, plan: FaultPlan, { findings, unreached, trace }: Verdict): Failure | undefined {
  tally.plans += 1;
  tally.calls += trace.calls.length;
  for (const kind of kindsIn(plan)) tally.kinds.add(kind);
  const [first] = plan.faults;
  const isMissed = first !== undefined && unreached.includes(first);
  if (!isMissed && unreached.length > 0) tally.notReached += 1;
  if (!isMissed && findings.length === 0) return undefined;
  const failure = { plan, findings, unreached: isMissed };
  tally.failures.push(failure);
  return failure;
}

/** `about` begins with the kind of each fault: `W1-crash-before at …, then W5-conflict at …`. */
function kindsIn({ about = '' }: FaultPlan): readonly string[] {
  return about.split(', then ').map((part) => part.split(' ')[0] ?? '');
}

/** The first failures in words: scenario, fault, what the oracles say. */
export function describeFailures({ failures }: Tally, most = 5): string {
  return [`${failures.length} plans failed`, ...failures.slice(0, most).map(describeFailure)].join('\n');
}

export function describeFailure({ plan, findings, unreached }: Failure): string {
  const said = unreached ? 'was never reached' : findings.map(({ oracle, what }) => `${oracle} ${what}`).join('; ');
  return `${plan.scenario}: ${plan.about ?? ''}: ${said}`;
}
