import { type Boundary, faultAt, nameOf } from '../../../packages/controller/testing/kinds/boundaries.ts';
import { type FaultKind, isEvent, isRead } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { sights } from '../../../packages/controller/testing/kinds/sights.ts';
import type { FaultPlan } from '../plan.ts';

/** The kinds of faults that differ in what they come to: sights.ts says why no other need be tried in pairs. */
export const pairKinds: readonly FaultKind[] = kinds.filter(({ id }) =>
  Object.values(sights).some(({ by, inPairs }) => inPairs && by === id),
);

/** Of a read: only that it says what is not true. All else at a read is as good as a death before the next write. */
const atReads: ReadonlySet<string> = new Set(['old', 'too-little']);

/** The kinds of faults that are worth a pair at one call. */
export function kindsInPairs({ call }: Boundary): readonly FaultKind[] {
  // Of the writing of an Event nothing is seen, and a death there is one after the write before it.
  if (isEvent(call)) return [];
  return pairKinds.filter(({ appliesTo, sees }) => appliesTo(call) && (!isRead(call) || atReads.has(sees(call))));
}

/**
 * Every two calls of a run without faults, in their order, with every two of those kinds. After the first fault the run
 * goes another way, so the second may never be reached: of a pair only the first must be.
 */
export function* doubleFaults(scenario: string, boundaries: readonly Boundary[]): Generator<FaultPlan> {
  for (const [index, first] of boundaries.entries()) {
    for (const second of boundaries.slice(index + 1)) {
      for (const one of kindsInPairs(first)) {
        for (const other of kindsInPairs(second)) {
          const about = `${one.id} at ${nameOf(first)}, then ${other.id} at ${nameOf(second)}`;
          yield { kind: 'faults', about, scenario, faults: [faultAt(first, one), faultAt(second, other)] };
        }
      }
    }
  }
}

/** How many they are, without making them. */
export function countDoubleFaults(boundaries: readonly Boundary[]): number {
  const counts = boundaries.map((boundary) => kindsInPairs(boundary).length);
  const sum = counts.reduce((total, count) => total + count, 0);
  const ofSameCall = counts.reduce((total, count) => total + count * count, 0);
  return (sum * sum - ofSameCall) / 2;
}
