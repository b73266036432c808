import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { operations } from './operations/operations.ts';
import type { Tally } from './tally.ts';

const others = [
  ...['lose', 'lose many', 'double', 'late', 'belated', 'kill', 'version', 'tick'],
  ...['jump +1 h', 'jump -1 h', 'jump +5 d', 'jump -1 d'],
];

/** All that can happen in a storm and has not: what a run has never met, it has not shown to be right. */
export function neverHappened(tally: Tally): readonly string[] {
  const never = (names: readonly string[], counts: Readonly<Record<string, number>>): readonly string[] =>
    names.filter((name) => (counts[name] ?? 0) === 0);
  return [
    ...never(Object.keys(operations), tally.operations),
    ...never([...kinds.map(({ id }) => id), ...others], tally.troubles),
    ...never(Object.keys(tally.events), tally.events),
    ...(tally.otherVersion === 0 ? ['an event for the other version'] : []),
  ];
}
