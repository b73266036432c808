// Storms, each from its own seed: node test/faults/storm/storm.ts --seeds N --from S [--path P] [--workers W] [--json]
import { parseArgs } from 'node:util';
import { commit } from './commit.ts';
import { describeFailure } from './describe-failure.ts';
import { runStorms } from './run-storms.ts';
import { contentOf, runStormPlan, shrink } from './seek.ts';
import { neverHappened } from './sometimes.ts';
import { summary } from './summary.ts';
import type { Told } from './worker.ts';

/** From this many seeds on, all that can happen must have. */
const enoughForAll = 300;
/** This many failures are made smaller, each for at most this long: more are mostly the same ones. */
const mostShrunk = 5;
const shrinkMs = 60_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    path: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [seeds, from, workers] = [values.seeds, values.from, values.workers].map(wholeNumber) as [number, number, number];

process.exitCode = (values.path === undefined ? await runAll() : await runOne(values.path)) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const storms = await runStorms({
    seeds,
    from,
    workers,
    onProgress: ({ done, failed, seconds }) =>
      log(`[${seconds.toFixed(0).padStart(5)} s] ${done} of ${seeds} seeds, ${failed} with findings`),
    onFailure: ({ seed, findings }) =>
      log(`SEED=${seed}: ${findings.map(({ oracle, what }) => `${oracle} ${what}`).join('; ')}`),
  });
  for (const told of storms.failures.slice(0, mostShrunk)) await show(told);
  const rest = storms.failures.slice(mostShrunk).map(({ seed }) => seed);
  if (rest.length > 0) log(`findings also with the seeds ${rest.join(', ')}`);
  const never = seeds >= enoughForAll ? neverHappened(storms.tally) : [];
  if (never.length > 0) log(`never happened: ${never.join(', ')}`);
  if (values.json) console.log(JSON.stringify({ ...storms, commit: commit(), never }));
  console.log(summary(storms));
  return storms.failures.length === 0 && never.length === 0;
}

async function show({ seed, findings }: Told): Promise<void> {
  const [first] = findings;
  if (first === undefined) return;
  if (first.oracle === 'broken') log(`SEED=${seed} COMMIT=${commit()} the simulator broke: ${first.what}`);
  else log(describeFailure(await shrink(seed, first.oracle, shrinkMs), commit()));
}

/** A failure that was found before. */
async function runOne(path: string): Promise<boolean> {
  const plan = { seed: from, path };
  const stormed = await runStormPlan(plan);
  log(describeFailure({ ...plan, content: contentOf(plan), stormed, shrinks: path.split(':').length - 1 }, commit()));
  return stormed.findings.length === 0;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is no whole number above 0`);
  return value;
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
