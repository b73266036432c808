// Runs the tests of this folder: node tools/test/run.ts unit|kube|dataplane|node|knative|knative-night|postgres|prometheus|console|security|faults|faults-kube [beginning of a path...] [--but beginning of a path...]
import { run } from 'node:test';
import { install } from '../dataplane/install.ts';
import { succeeds } from '../debian/commands.ts';
import { installMissing } from '../debian/install.ts';
import { postgresFolder } from '../postgres/start.ts';
import { prometheusPrograms } from '../prometheus/programs.ts';
import { withCluster, withKnative, withNode } from './cluster.ts';
import { report, type Verdict } from './report.ts';
import { type Coverage, isSuite, type Suite, suites, testFiles } from './suites.ts';

const coverageOptions = {
  coverage: true,
  coverageIncludeGlobs: ['packages', 'resources', 'cli', 'functions'].map((folder) => `${folder}/**/*.ts`),
  // packages/image builds images, which the suites kube and node do.
  coverageExcludeGlobs: [
    '**/test/**',
    'packages/kube-api/fidelity/**',
    'packages/start/function.ts',
    'packages/image/**',
  ],
};

const loadedFirst = ['--import', new URL('kept-types.js', import.meta.url).href];
const coverageEndsHere = ['--import', new URL('coverage-ends-here.ts', import.meta.url).href];

// The control planes of tests are short-lived and have room: collecting garbage less often saves an eighth of their work.
process.env['KNUDGE_TEST_GOGC'] ??= '400';

const root = process.cwd();
const began = Date.now();
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop(`the run was stopped by ${signal}`));

const [name, ...beginnings] = process.argv.slice(2);
if (!isSuite(name)) {
  log(`say which tests: ${Object.keys(suites).join(', ')}`);
  process.exitCode = 2;
} else {
  try {
    const verdict = await runSuite(name, beginnings);
    const tooLittle = exitCodeOfCoverage(verdict, suites[name].coverage);
    process.exitCode = Math.max(
      verdict.failed > 0 || stopped.signal.aborted ? 1 : 0,
      tooLittle,
      exitCodeOfSkips(verdict),
    );
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function runSuite(suite: Suite, starts: readonly string[]): Promise<Verdict> {
  const files = testFiles(suite, root, starts);
  if (files.length === 0) throw new Error(`there are no ${suite} tests ${starts.join(' ')}`);
  const { concurrency, timeoutSeconds, limitMinutes, environment, coverage } = suites[suite];
  Object.assign(process.env, environment);
  const measured = process.env['CI'] === 'true' && coverage !== undefined && starts.length === 0;
  const work = () => {
    const giveUp = () => stop(`the ${limitMinutes} minutes of all ${suite} tests were over`);
    setTimeout(giveUp, limitMinutes * 60_000).unref();
    const events = run({
      files: [...files],
      concurrency,
      timeout: timeoutSeconds * 1000,
      signal: stopped.signal,
      execArgv: [...loadedFirst, ...(measured ? coverageEndsHere : [])],
      ...(measured && coverageOptions),
    });
    return report(events, (text) => void process.stdout.write(text));
  };
  if (suite === 'node') return judged(await withNode(root, log, work));
  if (suite === 'knative' || suite === 'knative-night') return judged(await withKnative(root, log, work));
  if (suite === 'postgres') return withPostgres(work);
  if (suite === 'prometheus' || suite === 'dataplane') return withPrometheus(work);
  if (suite === 'console') return withChromium('The pages of the console', work);
  if (suite === 'security') {
    if (files.some((path) => path.endsWith('.dataplane.test.ts'))) await install(log);
    return withChromium('The attacks from a page', () => withCluster(root, log, work));
  }
  return suite === 'kube' || suite === 'faults-kube' ? withCluster(root, log, work) : work();
}

/** A machine that can have no real node is not a failure, in CI neither: the missing tests are named. */
function judged(result: Verdict | { readonly why: string }): Verdict {
  if (!('why' in result)) return result;
  log(`The tests on a real node are left out. ${result.why}`);
  return { tests: 0, failed: 0, skipped: [] };
}

/** Unlike a real node, a package can be had everywhere: a server that cannot be installed is a failure. */
async function withPostgres(work: () => Promise<Verdict>): Promise<Verdict> {
  await installMissing('The test of the event log', { postgresql: () => postgresFolder() !== undefined }, log);
  process.env['KNUDGE_TEST_POSTGRES'] = postgresFolder();
  return work();
}

async function withPrometheus(work: () => Promise<Verdict>): Promise<Verdict> {
  const { promtool, prometheus } = await prometheusPrograms(log);
  Object.assign(process.env, { KNUDGE_TEST_PROMTOOL: promtool, KNUDGE_TEST_PROMETHEUS: prometheus });
  return work();
}

async function withChromium(what: string, work: () => Promise<Verdict>): Promise<Verdict> {
  await installMissing(what, { chromium: () => succeeds('which', 'chromium') }, log);
  return work();
}

/** Prints the coverage, and returns 1 if it is too low. */
function exitCodeOfCoverage({ covered }: Verdict, wanted: Coverage | undefined): number {
  if (covered === undefined || wanted === undefined) return 0;
  const figures = (['lines', 'branches'] as const).map(
    (what) => `${covered[what].toFixed(1)} % of the ${what} (at least ${wanted[what]} %)`,
  );
  const isTooLittle = covered.lines < wanted.lines || covered.branches < wanted.branches;
  log(`${isTooLittle ? 'Failed: the' : 'The'} tests ran ${figures.join(' and ')} of the code`);
  if (isTooLittle) log(`Lines that no test ran, by file: ${covered.least.join(', ')}`);
  return isTooLittle ? 1 : 0;
}

/** In CI no test may be left out silently: a skipped test is a failure there. */
function exitCodeOfSkips({ skipped }: Verdict): number {
  if (process.env['CI'] !== 'true' || skipped.length === 0) return 0;
  log(`Failed: ${skipped.length} did not run, and with CI=true that is a failure`);
  return 1;
}

function stop(why: string): void {
  stopped.abort(new Error(why));
}

function log(line: string): void {
  process.stderr.write(`[${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
}
