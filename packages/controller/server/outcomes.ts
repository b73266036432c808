import { describe, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';

/** The result that says most wins: something done, then a plan, then a parent that is gone. */
const precedence = ['done', 'planned', 'gone', 'ignored'] as const satisfies readonly Outcome['result'][];

/** What came of an event that may have concerned several parents: one result, all reads and writes, all parents and plans. */
export function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  const [only] = outcomes;
  if (only !== undefined && outcomes.length === 1) return only;
  const result = precedence.find((candidate) => outcomes.some((outcome) => outcome.result === candidate)) ?? 'ignored';
  const plans = outcomes.flatMap((outcome) => outcome.plans ?? []);
  const events = outcomes.flatMap((outcome) => outcome.events ?? []);
  const parents = distinct(outcomes.flatMap((outcome) => outcome.parents ?? []));
  return {
    result,
    reads: outcomes.reduce((sum, { reads }) => sum + reads, 0),
    writes: outcomes.reduce((sum, { writes }) => sum + writes, 0),
    ...(events.length > 0 && { events: { sent: sumOf(events, 'sent'), failed: sumOf(events, 'failed') } }),
    ...(parents.length > 0 && { parents }),
    ...(plans.length > 0 && { plans }),
  };
}

type Events = NonNullable<Outcome['events']>;

function sumOf(all: readonly Events[], what: keyof Events): number {
  return all.reduce((sum, one) => sum + one[what], 0);
}

function distinct(parents: readonly ObjectRef[]): readonly ObjectRef[] {
  return [...new Map(parents.map((parent) => [describe(parent), parent])).values()];
}
