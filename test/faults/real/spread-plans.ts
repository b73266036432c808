import type { FaultKind } from '../../../packages/controller/testing/kinds/kind.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { singleFaults } from '../kinds/enumerate.ts';
import { distinctBoundaries } from '../kinds/prune.ts';
import type { FaultPlan } from '../plan.ts';

/** A plan with what it is a plan of. */
export interface Spread {
  readonly plan: FaultPlan;
  readonly kind: string;
  /** The call that is hit, whatever the scenario. */
  readonly boundary: string;
}

/**
 * This many of all plans, always the same: in turn one of each scenario, with the kind of fault that had the fewest turns so
 * far, at the call that had the fewest.
 */
export function spreadPlans(
  cleans: ReadonlyMap<string, Pick<Trace, 'calls' | 'marks'>>,
  kinds: readonly FaultKind[],
  wanted: number,
): readonly Spread[] {
  const waiting = new Map([...cleans].map(([scenario, clean]) => [scenario, candidates(scenario, clean, kinds)]));
  const turns = new Map<string, number>();
  const chosen: Spread[] = [];
  while (chosen.length < wanted && waiting.size > 0) {
    for (const [scenario, left] of waiting) {
      const next = left.toSorted((one, other) => compare(one, other, turns))[0];
      if (next === undefined) waiting.delete(scenario);
      if (next === undefined || chosen.length === wanted) continue;
      left.splice(left.indexOf(next), 1);
      chosen.push(next);
      for (const key of keysOf(next)) turns.set(key, (turns.get(key) ?? 0) + 1);
    }
  }
  return chosen;
}

function candidates(scenario: string, clean: Pick<Trace, 'calls' | 'marks'>, kinds: readonly FaultKind[]): Spread[] {
  const boundaries = distinctBoundaries(clean);
  return kinds.flatMap((kind) =>
    singleFaults(scenario, boundaries, [kind]).map((plan) => {
      const { verb = 'get', resource = '', name = '' } = plan.faults[0]?.match ?? {};
      return { plan, kind: kind.id, boundary: `${verb} ${resource} ${name}` };
    }),
  );
}

function keysOf({ kind, boundary }: Spread): readonly [kind: string, boundary: string, both: string] {
  return [kind, boundary, `${kind} at ${boundary}`];
}

function compare(one: Spread, other: Spread, turns: ReadonlyMap<string, number>): number {
  const [mine, theirs] = [keysOf(one), keysOf(other)];
  const differences = mine.map((key, index) => (turns.get(key) ?? 0) - (turns.get(theirs[index] ?? '') ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
