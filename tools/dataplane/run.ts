import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { DataPlaneError } from './errors.ts';

export type Log = (line: string) => void;

interface Step {
  /** The step, for messages: `building frps`. */
  readonly what: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A sentence for the case that the command is not installed. */
  readonly missing: string;
}

const tickMs = 10_000;
/** Characters at the end of a failed command's output that are shown; what comes before is progress. */
const tail = 2000;

/** Runs one command to its end and prints every ten seconds that it still runs. Throws DataPlaneError if it fails. */
export async function run({ what, command, args, cwd, env = {}, missing }: Step, log: Log): Promise<void> {
  log(what);
  const startedAt = Date.now();
  const seconds = (): string => `${String(Math.round((Date.now() - startedAt) / 1000))} s`;
  const ticker = setInterval(() => log(`${what}: ${seconds()} so far`), tickMs);
  let output = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
      const keep = (chunk: Buffer): void => {
        output = (output + chunk.toString()).slice(-tail);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.once('spawn', () => yieldTo(child.pid));
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ENOENT' ? new DataPlaneError(missing) : error);
      });
      child.once('close', (code, signal) => {
        if (code === 0) return resolve();
        reject(new DataPlaneError(`${what} failed (${signal ?? `exit code ${String(code)}`}):\n${output.trim()}`));
      });
    });
  } finally {
    clearInterval(ticker);
  }
  log(`${what}: done after ${seconds()}`);
}

/** Lowers the priority: a build may use every core for minutes. */
function yieldTo(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, 10);
  } catch {
    // It has ended already, or this system has no priorities.
  }
}
