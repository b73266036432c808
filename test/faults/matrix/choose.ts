import { type Boundary, singleFaults } from '../kinds/enumerate.ts';
import type { FaultKind } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { sights } from '../kinds/sights.ts';
import type { FaultPlan } from '../plan.ts';
import type { Scenario } from '../scenario.ts';
import { families } from '../scenarios/scenarios.ts';

/** One kind of fault for each thing that a fault can come to: sights.ts says why the others come to the same. */
export const distinctKinds: readonly FaultKind[] = kinds.filter(({ id }) =>
  Object.values(sights).some(({ by }) => by === id),
);

/** The scenarios that meet every kind of fault: the first of each family, and those that create and delete. */
export const mainScenarios: ReadonlySet<string> = new Set([
  ...Object.values(families).flatMap(([first]) => (first === undefined ? [] : [first.name])),
]);

/** The kinds of faults that a scenario meets. */
export function kindsFor({ name }: Scenario, everything: boolean): readonly FaultKind[] {
  return everything || mainScenarios.has(name) ? kinds : distinctKinds;
}

/** Every one of these places with every kind of fault that can hit it. */
export function plansFor(scenario: Scenario, boundaries: readonly Boundary[], everything: boolean): readonly FaultPlan[] {
  return singleFaults(scenario.name, boundaries, kindsFor(scenario, everything));
}

