import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Finding } from '../../../packages/controller/testing/trace.ts';
import { type Attempt, textOf } from './attempts.ts';
import { huntByTest } from './by-test.ts';
import type { Copy } from './copy.ts';
import type { Mutant } from './mutant.ts';
import { runAttempt } from './run-attempt.ts';
import type { Sought } from './sought.ts';

/** How long the processor looks at one mutant, and when a child that does not end by itself is ended. */
const budgetMs = 40_000;
const mostMs = 240_000;

/** So many findings that the product without the fault gives as well are passed over. */
const mostFalse = 5;

/** What came of one mutant. */
export interface Hunted {
  readonly id: string;
  /** `O1` to `O12`, or a unit test; undefined where none has said anything. */
  readonly caught: string | undefined;
  /** The child did not end: whether an oracle would have seen the mutant nobody knows. */
  readonly hung: boolean;
  readonly runs: number;
  readonly seconds: number;
  /** The scenario and what was broken. */
  readonly where: string;
  readonly what: string;
  /** Findings that the product without any fault gives too: they say nothing about the mutant, and are faults themselves. */
  readonly falseAlarms: readonly string[];
}

/** Puts a mutant into the copy and lets a child look for it there. Throws where the child fails in another way. */
export async function huntOne(mutant: Mutant, copy: Copy): Promise<Hunted> {
  const { id, near, layer = 'calm', shownBy } = mutant;
  if (shownBy !== undefined && 'test' in shownBy) return huntByTest(mutant, shownBy.test, copy);
  copy.become(mutant);
  const began = performance.now();
  const falseAlarms: string[] = [];
  const end = (runs: number) => ({ id, runs, seconds: (performance.now() - began) / 1000, falseAlarms, hung: false });
  let skip = 0;
  for (let tries = 0; tries <= mostFalse; tries += 1) {
    const answer = await ask(copy.root, { near, layer, budgetMs, skip, ...(shownBy && { shownBy }) });
    if (answer === undefined) return { ...end(skip), caught: undefined, hung: true, where: '', what: 'it did not end' };
    const sought = answer as Sought;
    if (!('attempt' in sought)) {
      const what = sought.stuck.length === 0 ? '' : `could not run: ${sought.stuck.join('; ')}`;
      return { ...end(sought.runs), caught: undefined, where: '', what };
    }
    const { attempt, finding, runs } = sought;
    const where = `${attempt.scenario}, ${textOf(attempt)}`;
    if (!(await isFalse(attempt, finding))) return { ...end(runs), caught: finding.oracle, where, what: finding.what };
    falseAlarms.push(`${where}: ${finding.oracle} ${finding.what}`);
    skip = runs;
  }
  return { ...end(skip), caught: undefined, where: '', what: 'only false alarms' };
}

/** Whether the product without the fault, which is loaded here, shows the same. */
async function isFalse(attempt: Attempt, { oracle }: Finding): Promise<boolean> {
  return (await runAttempt(attempt)).some((finding) => finding.oracle === oracle);
}

/** The JSON that the child prints; undefined where it had to be ended. */
function ask(root: string, question: object): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const args = [join(root, 'test/faults/mutants/seek.ts'), JSON.stringify(question)];
  // Of a copy one file differs from child to child: what Node has made of the others is kept there.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, '.compile-cache') };
  const options = { cwd: root, env, timeout: mostMs, killSignal: 'SIGKILL', maxBuffer: 1 << 24 } as const;
  execFile(process.execPath, args, options, (error, stdout, stderr) => {
    if (error === null) resolve(JSON.parse(stdout));
    else if (error.killed === true) resolve(undefined);
    else reject(new Error(`looking for it failed: ${stderr.slice(-2000)}`, { cause: error }));
  });
  return promise;
}
