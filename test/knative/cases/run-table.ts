import type { Ran } from './compare.ts';
import { differenceOf } from './known.ts';
import { type Observation, observe, type Target } from './observe.ts';
import { untilWatched } from './ready.ts';
import type { Row } from './table.ts';

export type Outcome = Observation | { readonly failed: string };

/** Those of the cases that the mesh does not refuse. */
export function forMesh(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => differenceOf(row)?.kind !== 'refused');
}

/**
 * What each case shows on a target, which is left up. Several run at a time: none of them minds the others, but that those
 * whose waits are compared run by themselves, and afterwards.
 */
export async function runTable(rows: readonly Row[], target: Target): Promise<Ran> {
  await untilWatched(rows, target);
  const outcomes = new Map<Row, Outcome>();
  const isTimed = ({ one }: Row): boolean => one.kind !== 'ping' && one.timed === true;
  await runAll(
    rows.filter((row) => !isTimed(row)),
    target,
    outcomes,
  );
  await runAll(rows.filter(isTimed), target, outcomes);
  return { name: target.name, outcomes };
}

async function runAll(rows: readonly Row[], target: Target, outcomes: Map<Row, Outcome>): Promise<void> {
  const waiting = [...rows];
  const worker = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      outcomes.set(row, await outcomeOf(row, target));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

const atATime = 24;

async function outcomeOf(row: Row, target: Target): Promise<Outcome> {
  try {
    return await observe(row, target);
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
