// Seeds one fault after the other into a copy of the product, and looks whether the oracles notice:
// npm run mutants [-- [--json] [--workers N] ID...]
import { parseArgs } from 'node:util';
import { copyProject } from './copy.ts';
import { type Hunted, huntOne } from './hunt-one.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { lineOf, tableOf } from './report.ts';

export interface Hunt {
  readonly ids: readonly string[];
  /** This many at a time. */
  readonly workers: number;
  /** Called with each mutant as soon as it is through. */
  readonly tell: (line: string) => void;
}

/** Hunts these mutants, or all; in the order of the table. */
export async function hunt({ ids, workers, tell }: Hunt): Promise<readonly Hunted[]> {
  const chosen = mutantsNamed(ids);
  const waiting = chosen.map((mutant, index) => ({ mutant, index }));
  const hunted: Hunted[] = [];
  const work = async (): Promise<void> => {
    const copy = copyProject();
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { mutant, index } = next;
        const result = await huntOne(mutant, copy);
        hunted[index] = result;
        tell(`${String(hunted.filter(Boolean).length).padStart(3)}/${chosen.length} ${lineOf(result)}`);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, chosen.length) }, work));
  return hunted;
}

function mutantsNamed(ids: readonly string[]): readonly Mutant[] {
  const unknown = ids.filter((id) => !mutants.some((mutant) => mutant.id === id));
  if (unknown.length > 0) throw new Error(`no mutant is called ${unknown.join(', ')}`);
  return ids.length === 0 ? mutants : mutants.filter(({ id }) => ids.includes(id));
}

if (import.meta.main) {
  const { values, positionals: ids } = parseArgs({
    options: { json: { type: 'boolean', default: false }, workers: { type: 'string', default: '2' } },
    allowPositionals: true,
  });
  const began = performance.now();
  const tell = (line: string) => (values.json ? process.stderr.write(`${line}\n`) : console.log(line));
  const hunted = await hunt({ ids, workers: Number(values.workers), tell });
  if (values.json) console.log(JSON.stringify(hunted, null, 2));
  else console.log(tableOf(hunted, (performance.now() - began) / 1000));
  if (hunted.some(({ caught }) => caught === undefined)) process.exitCode = 1;
}
