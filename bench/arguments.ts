import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly rounds: number;
  /** One JSON object instead of the table. */
  readonly json: boolean;
  /** Only to check that it runs: few rounds, and no goal counts. */
  readonly smoke: boolean;
}

/** With fewer rounds than this the figures mean nothing on a machine that does other things too. */
const usualLeast = 15;

/** Reads the arguments of a bench; throws a sentence if they are wrong. A bench with hundreds of events in a round needs fewer rounds. */
export function readArguments(
  args: readonly string[],
  leastRounds = usualLeast,
  usualRounds = leastRounds,
): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string' }, json: { type: 'boolean' }, smoke: { type: 'boolean' } },
  });
  const smoke = values.smoke === true;
  const rounds = Number(values.rounds ?? (smoke ? 3 : usualRounds));
  if (!Number.isInteger(rounds) || rounds < (smoke ? 1 : leastRounds)) {
    throw new Error(`--rounds must be a whole number, at least ${String(leastRounds)} unless --smoke is given`);
  }
  return { rounds, json: values.json === true, smoke };
}
