import { rmSync } from 'node:fs';
import { readArguments } from './arguments.ts';
import { report } from './report.ts';
import { type Measured, measure } from './source/measure.ts';
import { buildPrograms } from './source/processes.ts';
import { insistOnOnce, rowsOf } from './source/rows.ts';

/** A round takes minutes, and memory at rest varies little. */
const args = readArguments(process.argv.slice(2), 1);
const { sizes, restMs } = args.smoke
  ? { sizes: [0, 200], restMs: 1000 }
  : { sizes: [0, 1000, 10_000, 100_000], restMs: 25_000 };
const rounds: (readonly Measured[])[] = [];
const programs = await buildPrograms();
try {
  for (let round = 0; round < (args.smoke ? 1 : args.rounds); round += 1) {
    const measured: Measured[] = [];
    for (const objects of sizes) measured.push(...(await measure(programs, objects, { restMs })));
    rounds.push(measured);
  }
} finally {
  rmSync(programs.folder, { recursive: true });
}
insistOnOnce(rounds.flat());
report("Memory of Knudge's own source at rest, beside a bare server that was started with it", rowsOf(rounds), {
  ...args,
  rounds: rounds.length,
});
