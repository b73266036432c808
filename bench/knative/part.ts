import { loadavg } from 'node:os';
import { printTable, type Row } from '../report.ts';

/** Measures one part and prints its rows at once. A failure is a row too, and exit code 1: the parts after it are measured. */
export async function partBy(name: string, measure: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const began = performance.now();
  const rows = await measure().catch((error: unknown): readonly Row[] => {
    process.exitCode = 1;
    console.error(error);
    return [{ name: `${name}: failed`, figures: { why: error instanceof Error ? error.message : String(error) } }];
  });
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  process.stderr.write(`${name}: ${minutes} minutes, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
  printTable(rows, process.stderr);
  return rows;
}
