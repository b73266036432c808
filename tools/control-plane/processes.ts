import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ClusterError } from './errors.ts';

const endTimeoutMs = 5_000;

/** The command line of a process, its arguments separated by NUL or a space; empty if there is no such process. */
export function commandLine(pid: number): string {
  if (!existsSync('/proc/self/cmdline')) {
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5_000,
    }).stdout.trim();
  }
  try {
    for (let tries = 1; ; tries += 1) {
      const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (text !== '' || tries === mostReads || hasEnded(pid)) return text;
      pause(1);
    }
  } catch {
    return '';
  }
}

/** A process that becomes another program has no command line for a moment. */
const mostReads = 20;

/** Whether it has ended and waits for its parent (proc(5), state). */
function hasEnded(pid: number): boolean {
  return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Whether a command line names this folder or something inside it: /tmp/a is not named by --dir=/tmp/ab. */
export function mentions(command: string, dir: string): boolean {
  for (let at = command.indexOf(dir); at !== -1; at = command.indexOf(dir, at + 1)) {
    const after = command[at + dir.length];
    if (after === undefined || '/ \0'.includes(after)) return true;
  }
  return false;
}

/** Whether this process runs for the cluster in this folder. A pid alone proves nothing: the system uses it again. */
export function belongsTo(pid: number, dir: string): boolean {
  return mentions(commandLine(pid), dir);
}

/**
 * Kills those of the processes that belong to the cluster in this folder and waits until they are gone. Synchronous, so
 * that it also works while Node exits. Throws ClusterError if one may not be killed or does not go.
 */
export function endProcesses(pids: readonly number[], dir: string): void {
  const ours = pids.filter((pid) => belongsTo(pid, dir));
  for (const pid of ours) kill(pid);
  const deadline = Date.now() + endTimeoutMs;
  while (ours.some((pid) => belongsTo(pid, dir))) {
    if (Date.now() > deadline) throw new ClusterError(`Process ${ours.join(', ')} of ${dir} does not end.`);
    pause(20);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH')
      throw new ClusterError(`Process ${pid} of the cluster cannot be stopped (${code}): another user started it.`);
  }
}
