import { scenarios } from '../scenarios/scenarios.ts';
import { type Attempt, textOf } from './attempts.ts';
import { forget, runAttempt } from './run-attempt.ts';

/** How many runs were made, and what the oracles said although nothing was wrong. */
export interface Alarms {
  readonly runs: number;
  readonly scenarios: number;
  readonly alarms: readonly string[];
}

/** Runs every scenario of the table so often that there are at least `least` runs, one scenario after the other. */
export async function countAlarms(
  least: number,
  attempt: (scenario: string, seed: number) => Attempt,
): Promise<Alarms> {
  const each = Math.ceil(least / scenarios.length);
  const alarms: string[] = [];
  let runs = 0;
  for (const [index, { name }] of scenarios.entries()) {
    for (let seed = 1; seed <= each; seed += 1) {
      const made = attempt(name, index * each + seed);
      for (const { oracle, what } of await runAttempt(made)) alarms.push(`${name}, ${textOf(made)}: ${oracle} ${what}`);
      runs += 1;
    }
    forget(name);
    if (index % 40 === 39) console.log(`${index + 1} of ${scenarios.length} scenarios, ${runs} runs`);
  }
  return { runs, scenarios: scenarios.length, alarms };
}
