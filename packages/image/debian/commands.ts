import { execFileSync, spawn } from 'node:child_process';
import { BuildError } from '../errors.ts';

type Step = {
  /** The step, for messages, such as `Installing runc`. */
  what: string;
  command: string;
  args: readonly string[];
  /** The folder it runs in; the current one by default. */
  cwd?: string;
  /** Variables besides this process's environment. */
  env?: Readonly<Record<string, string>>;
};

const reportEveryMs = 5_000;
/** Characters at the end of a failed command's output that are shown. */
const tail = 2000;
const longestMs = 60_000;

/** Runs a command to its end and prints every few seconds that it still runs. Throws BuildError if it fails. */
export async function run({ what, command, args, ...where }: Step, log: (line: string) => void): Promise<void> {
  log(`${what}.`);
  const startedAt = Date.now();
  const ticker = setInterval(
    () => log(`${what}: ${Math.round((Date.now() - startedAt) / 1000)} seconds so far.`),
    reportEveryMs,
  );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...where.env };
  const child = spawn(command, args, { cwd: where.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const keep = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-tail);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise<void>((done, failed) => {
    child.once('error', (error) => failed(new BuildError(`${what} failed: ${error.message}.`)));
    child.once('close', (code) => {
      if (code === 0) done();
      else failed(new BuildError(`${what} failed:\n${said.trim()}`));
    });
  }).finally(() => clearInterval(ticker));
}

/** The output of a quick command. Throws BuildError with its complaint. */
export function output(command: string, ...args: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', timeout: longestMs, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new BuildError(`${command} ${args.join(' ')} failed: ${stderr?.trim() || message}`);
  }
}

export function succeeds(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: longestMs });
    return true;
  } catch {
    return false;
  }
}
