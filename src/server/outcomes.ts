import type { Outcome } from '../domain/plan.ts';

/** The result that says most wins: something done, then a plan, then a parent that is gone. */
const precedence = ['done', 'planned', 'gone', 'ignored'] as const satisfies readonly Outcome['result'][];

/** What came of an event that may have concerned several parents: one result, all reads and writes, all plans. */
export function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  const [only] = outcomes;
  if (only !== undefined && outcomes.length === 1) return only;
  const result = precedence.find((candidate) => outcomes.some((outcome) => outcome.result === candidate)) ?? 'ignored';
  const merged = {
    result,
    reads: outcomes.reduce((sum, { reads }) => sum + reads, 0),
    writes: outcomes.reduce((sum, { writes }) => sum + writes, 0),
  };
  const plans = outcomes.flatMap((outcome) => outcome.plans ?? []);
  return plans.length === 0 ? merged : { ...merged, plans };
}
