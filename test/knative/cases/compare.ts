import { differences } from '../../fidelity/differences.ts';
import type { Observation, Target } from './observe.ts';
import type { Outcome } from './run-table.ts';
import type { Row } from './table.ts';

/** What all cases showed on a target. */
export interface Ran {
  readonly name: Target['name'];
  readonly outcomes: ReadonlyMap<Row, Outcome>;
}

/** Real Knative against the record, and the mesh against real Knative or, alone, against the record; none where all is equal. */
export function complaintsOf(row: Row, ran: readonly Ran[], kept: Observation | undefined): readonly string[] {
  if (kept === undefined) return ['it is not in the record; record it with --record'];
  let [expected, source] = [kept as Outcome, 'the record'];
  return ran.flatMap(({ name, outcomes }) => {
    const outcome = outcomes.get(row) ?? { failed: 'it did not run' };
    const lines = typeof outcome['failed'] === 'string' ? [outcome['failed']] : differences(expected, outcome);
    const said = lines.length === 0 ? [] : [`${name} (+) is not ${source} (-):`, ...lines.map((line) => `  ${line}`)];
    if (typeof outcome['failed'] !== 'string') [expected, source] = [outcome, name];
    return said;
  });
}
