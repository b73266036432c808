import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Copy } from './copy.ts';
import type { Hunted } from './hunt-one.ts';
import type { Mutant } from './mutant.ts';

const mostMs = 120_000;
const caught = 'a unit test';

/** Looks for a mutant by a unit test, which passes in the copy without it: what fails there says nothing. */
export async function huntByTest(mutant: Mutant, test: string, copy: Copy): Promise<Hunted> {
  const began = performance.now();
  copy.become({ ...mutant, edits: [] });
  const before = await run(test, copy.root);
  copy.become(mutant);
  const after = await run(test, copy.root);
  const falseAlarms = before.failed.map((title) => `${test}: ${title}`);
  const [title] = before.failed.length === 0 ? after.failed : [];
  return {
    id: mutant.id,
    runs: 1,
    seconds: (performance.now() - began) / 1000,
    hung: after.hung,
    falseAlarms,
    caught: title === undefined ? undefined : caught,
    where: test,
    what: title ?? '',
  };
}

interface Run {
  /** Titles of the tests that failed; that of the file, where it could not be run. */
  readonly failed: readonly string[];
  readonly hung: boolean;
}

function run(test: string, cwd: string): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  // In a test's own process it would run no test.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, NODE_COMPILE_CACHE: join(cwd, '.compile-cache') };
  const options = { cwd, env, timeout: mostMs, killSignal: 'SIGKILL' } as const;
  execFile(process.execPath, ['--test', '--test-reporter=tap', test], options, (error, stdout) => {
    const titles = [...stdout.matchAll(/^ *not ok \d+ - (.+)$/gm)].map(([, title = '']) => title);
    const hung = error?.killed === true;
    resolve({ failed: error === null || hung ? [] : [...titles, test].slice(0, Math.max(1, titles.length)), hung });
  });
  return promise;
}
