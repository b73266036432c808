import { countDoubleFaults, doubleFaults } from '../kinds/pairs.ts';
import { distinctBoundaries } from '../kinds/prune.ts';
import type { FaultPlan } from '../plan.ts';
import type { Prepared } from '../sim/prepare.ts';

/** How many pairs of faults the rows have that are marked for it. */
export function countPairs(rows: Iterable<Prepared>): number {
  return [...rows]
    .filter(({ scenario }) => scenario.pairs)
    .reduce((sum, { clean }) => sum + countDoubleFaults(distinctBoundaries(clean)), 0);
}

/** Every `step`-th of those pairs. */
export function* someDoubles(rows: Iterable<Prepared>, step: number): Generator<FaultPlan> {
  let index = 0;
  for (const { scenario, clean } of rows) {
    if (!scenario.pairs) continue;
    for (const plan of doubleFaults(scenario.name, distinctBoundaries(clean))) {
      index += 1;
      if (index % step === 0) yield plan;
    }
  }
}
