import { type Observation, observe, type Target } from './observe.ts';
import type { Row } from './table.ts';

export type Outcome = Observation | { readonly failed: string };

/** What each case shows on a target, by its row. Several run at a time: none of them minds the others. */
export async function runTable(rows: readonly Row[], target: Target): Promise<ReadonlyMap<Row, Outcome>> {
  const outcomes = new Map<Row, Outcome>();
  const waiting = [...rows];
  const worker = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      outcomes.set(row, await outcomeOf(row, target));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return outcomes;
}

const atATime = 24;

export async function outcomeOf(row: Row, target: Target): Promise<Outcome> {
  try {
    return await observe(row, target);
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
