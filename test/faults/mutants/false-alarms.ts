import { scenarios } from '../scenarios/scenarios.ts';
import { faultShare } from '../share.ts';
import { type Attempt, textOf } from './attempts.ts';
import { forget, runAttempt } from './run-attempt.ts';

/** How many runs were made, and what the oracles said although nothing was wrong. */
export interface Alarms {
  readonly runs: number;
  readonly scenarios: number;
  readonly alarms: readonly string[];
}

/** Runs of each scenario, each with a seed of its own. */
const each = 4;

/** Makes the runs of this layer that are in the share of this process, one scenario after the other. */
export async function countAlarms(layer: 'noise' | 'turns'): Promise<Alarms> {
  const every = scenarios.flatMap(({ name }, index) =>
    Array.from({ length: each }, (_, nth): Attempt => ({ scenario: name, layer, seed: index * each + nth + 1 })),
  );
  const mine = faultShare.of(every);
  const alarms: string[] = [];
  let last: string | undefined;
  for (const [index, attempt] of mine.entries()) {
    if (last !== undefined && last !== attempt.scenario) forget(last);
    last = attempt.scenario;
    for (const { oracle, what } of await runAttempt(attempt))
      alarms.push(`${attempt.scenario}, ${textOf(attempt)}: ${oracle} ${what}`);
    if (index % 100 === 99) console.log(`${index + 1} of ${mine.length} runs`);
  }
  return { runs: mine.length, scenarios: new Set(mine.map(({ scenario }) => scenario)).size, alarms };
}
