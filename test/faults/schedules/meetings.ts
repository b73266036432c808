import { isDeepStrictEqual } from 'node:util';
import type { Place, Scenario } from '../scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';

/** Scenarios that begin in the same cluster and concern the same parents: each can happen while another does. */
export interface Meeting {
  readonly members: readonly Scenario[];
}

/** All there are, from the table; a scenario that waits for rest in its middle has no single handler to interrupt. */
export function meetings(place: Place, table: readonly Scenario[] = scenarios): readonly Meeting[] {
  const groups: { readonly key: unknown; readonly members: Scenario[] }[] = [];
  for (const scenario of table.filter(({ when }) => !waits(when))) {
    const { given, before, days = 0, parents } = scenario;
    const key = [given(place), before?.toString() ?? '', days, parents(place)];
    const group = groups.find((one) => isDeepStrictEqual(one.key, key));
    if (group === undefined) groups.push({ key, members: [scenario] });
    else group.members.push(scenario);
  }
  return groups;
}

function waits(when: Scenario['when']): boolean {
  return /\.(gone|rest|resync)\(/.test(when.toString());
}

/** Every two of them, each also with itself: two events about the same thing. */
export function pairsOf({ members }: Meeting): readonly (readonly [Scenario, Scenario])[] {
  return members.flatMap((one, index) => members.slice(index).map((other) => [one, other] as const));
}
