import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Part } from './parts.ts';

export interface Ended {
  /** Why it has failed; absent if it has not. */
  readonly failure?: string;
  readonly seconds: number;
}

interface Limits {
  readonly ms: number;
  /** Milliseconds after the signal to end until what still runs is killed. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
}

/** Runs one part with its output in a file, and ends it with all that it has started when its time is over. */
export async function runPart(part: Part, log: string, { ms, graceMs, signal }: Limits): Promise<Ended> {
  const began = Date.now();
  const output = openSync(log, 'w');
  const [command = '', ...args] = part.command;
  // With CI=true a skipped test is a failure, so nothing is left out silently. A process group of its own can be ended whole.
  const env = { ...process.env, CI: 'true', ...part.environment };
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  let why: string | undefined;
  const timers: NodeJS.Timeout[] = [];
  const end = (reason: string): void => {
    why ??= reason;
    toGroup(child.pid, 'SIGTERM');
    timers.push(setTimeout(() => toGroup(child.pid, 'SIGKILL'), graceMs));
  };
  timers.push(setTimeout(() => end(`ended after ${minutes(ms)}`), ms));
  const stop = () => end('stopped by a person');
  signal.addEventListener('abort', stop, { once: true });
  const how = await new Promise<string | undefined>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, killer) =>
      done(code === 0 ? undefined : killer ? `ended by ${killer}` : `exit code ${code}`),
    );
  });
  for (const timer of timers) clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  if (why !== undefined) toGroup(child.pid, 'SIGKILL');
  const failure = why ?? how;
  return { ...(failure !== undefined && { failure }), seconds: (Date.now() - began) / 1000 };
}

function minutes(ms: number): string {
  const rounded = Math.round(ms / 6000) / 10;
  return `${rounded} minute${rounded === 1 ? '' : 's'}`;
}

function toGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended already.
  }
}
