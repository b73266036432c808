import type { Scenario } from '../scenario.ts';

/** This many of them, evenly spread over the table; all where there are no more. */
export function someScenarios(all: readonly Scenario[], most: number): readonly Scenario[] {
  const count = Math.min(most, all.length);
  const places = new Set(Array.from({ length: count }, (_, index) => Math.floor((index * all.length) / count)));
  return all.filter((_, index) => places.has(index));
}
