import { differences } from '../../../packages/kube-api/fidelity/differences.ts';
import { differenceOf, untrue } from './known.ts';
import type { Observation, Target } from './observe.ts';
import type { Outcome } from './run-table.ts';
import type { Row } from './table.ts';

/** What all cases showed on a target. */
export interface Ran {
  readonly name: Target['name'];
  readonly outcomes: ReadonlyMap<Row, Outcome>;
}

/**
 * Real Knative against the record, and the mesh against real Knative or, alone, against the record; none where all is
 * equal, or as different as known.ts says.
 */
export function complaintsOf(row: Row, ran: readonly Ran[], kept: Observation | undefined): readonly string[] {
  if (kept === undefined) return ['it is not in the record; record it with --record'];
  let [expected, source] = [kept as Outcome, 'the record'];
  return ran.flatMap(({ name, outcomes }) => {
    const known = name === 'embedded' ? differenceOf(row) : undefined;
    // That it is refused is tried by embedded.test.ts.
    if (known?.kind === 'refused') return [];
    const outcome = outcomes.get(row) ?? { failed: 'it did not run' };
    if (typeof outcome['failed'] === 'string') return [`${name}: ${outcome['failed']}`];
    const unlike = differences(expected, outcome);
    if (known !== undefined) {
      if (unlike.length === 0) return [`${name} is as ${source}: take it out of known.ts`];
      return untrue(known.instead, outcome);
    }
    const said = unlike.length === 0 ? [] : [`${name} (+) is not ${source} (-):`, ...unlike.map((line) => `  ${line}`)];
    [expected, source] = [outcome, name];
    return said;
  });
}
