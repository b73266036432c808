import { createProgress } from '../progress.ts';
import { judge } from './judge.ts';
import { type CallPlan, type Ran, runCalls } from './run-calls.ts';

/** Counts of runs, with what went wrong. */
export interface CallTally {
  runs: number;
  faults: number;
  told: number;
  /** Events that said nothing which was not sent already: of all runs, and the most of one. */
  needless: number;
  mostNeedless: number;
  readonly kinds: Set<string>;
  /** Each with how to have it again. */
  readonly failures: string[];
}

/** Runs these plans one after the other; says at once which of them fails. */
export async function runCallPlans(plans: Iterable<CallPlan>, check?: (ran: Ran) => string | undefined) {
  const tally: CallTally = {
    runs: 0,
    faults: 0,
    told: 0,
    needless: 0,
    mostNeedless: 0,
    kinds: new Set(),
    failures: [],
  };
  const progress = createProgress('plans');
  for (const plan of plans) {
    const ran = await runCalls(plan);
    const { wrongs, needless } = judge(ran);
    tally.runs += 1;
    tally.faults += ran.struck.length;
    tally.told += ran.told.length;
    tally.needless += needless;
    tally.mostNeedless = Math.max(tally.mostNeedless, needless);
    for (const { kind } of ran.struck) tally.kinds.add(kind.id);
    const other = check?.(ran);
    const all = other === undefined ? wrongs : [other, ...wrongs];
    if (all.length > 0) tally.failures.push(describe(plan, ran, all));
    if (all.length > 0) process.stderr.write(`${tally.failures.at(-1) ?? ''}\n`);
    progress(tally.runs);
  }
  return tally;
}

function describe(plan: CallPlan, { struck }: Ran, wrongs: readonly string[]): string {
  const faults = struck.map(
    ({ kind, call, at }) => `${kind.id} at ${call.call} ${call.what} after ${at.toFixed(0)} ms`,
  );
  const again = `node test/faults/source-calls/replay.ts '${JSON.stringify(plan)}'`;
  return [`${faults.join(', then ')}: ${wrongs.slice(0, 5).join('; ')}`, `  ${again}`].join('\n');
}
