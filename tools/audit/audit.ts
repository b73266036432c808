import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isUrgent, judge, type Locked, type Verdict } from './judge.ts';

const usage = `Known vulnerabilities of all packages in package-lock.json, as npm's registry knows them.

  npm run audit -- [--json] [--timeout SECONDS]

--json               the same for programs
--timeout SECONDS    how long the registry may take; default 60

Ends with 1 where a package that runs has one of high or critical severity, and with 0 otherwise: also where the registry does
not answer, which it then says. Ends with 2 where npm cannot look.`;

const project = join(import.meta.dirname, '../..');
/** The most that npm writes: megabytes would be tens of thousands of findings. */
const longestAnswer = 32 * 1024 * 1024;
const exitCodes = { found: 0, unanswered: 0, failed: 2 } as const satisfies Record<Verdict['kind'], number>;

main();

function main(): void {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      timeout: { type: 'string', default: '60' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return;
  }
  if (!/^[1-9]\d{0,3}$/.test(values.timeout)) {
    console.error(`--timeout is "${values.timeout}", and must be seconds, from 1 to 9999.`);
    process.exitCode = 2;
    return;
  }
  const verdict = ask(Number(values.timeout) * 1000);
  console.log(values.json === true ? JSON.stringify(verdict, null, 2) : sentencesOf(verdict));
  const isUrgentlyWrong = verdict.kind === 'found' && verdict.findings.some(isUrgent);
  process.exitCode = isUrgentlyWrong ? 1 : exitCodes[verdict.kind];
}

function ask(timeoutMs: number): Verdict {
  const args = ['audit', '--json', '--fetch-retries=0', `--fetch-timeout=${timeoutMs}`];
  const { stdout, error } = spawnSync('npm', args, {
    cwd: project,
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: longestAnswer,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== undefined && code !== 'ETIMEDOUT') return { kind: 'failed', why: `npm cannot be run (${code})` };
  const lockfile = readFileSync(join(project, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as { readonly packages: Locked };
  return judge(code === undefined ? stdout : '', packages);
}

function sentencesOf(verdict: Verdict): string {
  if (verdict.kind === 'unanswered') {
    return `Known vulnerabilities were not looked up: the registry has no answer, ${verdict.why}. The packages may have some or not.`;
  }
  if (verdict.kind === 'failed') return `Known vulnerabilities cannot be looked up: ${verdict.why}.`;
  if (verdict.findings.length === 0) return 'No vulnerability of any package is known.';
  const lines = verdict.findings.flatMap((finding) => [
    `${finding.severity}  ${finding.name}  ${finding.runs ? 'runs' : 'of a tool'}`,
    ...finding.advisories.map(({ title, url }) => `    ${title}  ${url}`),
  ]);
  const urgent = verdict.findings.filter(isUrgent).length;
  const end = urgent === 0 ? 'None of them is high or critical in what runs.' : `Fix before a release: ${urgent}.`;
  return [...lines, end].join('\n');
}
