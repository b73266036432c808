import { readdirSync, readFileSync } from 'node:fs';

/**
 * Milliseconds that all threads of a process have computed so far (Linux: the first field of schedstat, in nanoseconds;
 * /proc/<pid>/stat counts in steps of 10 ms, too coarse for one start).
 */
export function cpuMsOf(pid: number): number {
  const threads = `/proc/${String(pid)}/task`;
  const nanoseconds = readdirSync(threads).map((thread) => {
    return Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
