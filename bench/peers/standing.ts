import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { Command } from './contestants.ts';
import { type Split, type Usage, usageOf } from './tree.ts';

/** A running contestant. */
export interface Standing {
  usage(): Split<Usage>;
  /** Throws with the end of its log if it has ended by itself. */
  insist(): void;
  /** As Kubernetes does it: SIGTERM, and SIGKILL for processes that are still there. */
  stop(): Promise<void>;
}

export interface Stage {
  readonly kubeconfig: string;
  readonly podSpec: string;
  /** A file for its output. */
  readonly log: string;
  readonly isPlatform: (command: string) => boolean;
}

const graceMs = 15_000;
const running = new Set<ChildProcess>();

// A bench that is stopped leaves no process behind.
process.once('exit', () => {
  for (const child of running) signal(child, 'SIGKILL');
});

export function start(command: Command, { kubeconfig, podSpec, log, isPlatform }: Stage): Standing {
  const output = openSync(log, 'w');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command.program, command.args, {
    env: { PATH, HOME, KUBECONFIG: kubeconfig, POD_SPEC: podSpec, ...command.env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  const insist = (): void => {
    if (child.exitCode === null && child.signalCode === null) return;
    throw new Error(`it has ended: ${readFileSync(log, 'utf8').slice(-600)}`);
  };
  return {
    insist,
    usage: () => {
      insist();
      return usageOf(child.pid ?? 0, isPlatform);
    },
    stop: async () => {
      signal(child, 'SIGTERM');
      const timer = setTimeout(() => signal(child, 'SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
      signal(child, 'SIGKILL');
      if (command.scratch !== undefined) rmSync(command.scratch, { recursive: true, force: true });
    },
  };
}

/** To its whole process group. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // All of it has ended.
  }
}
