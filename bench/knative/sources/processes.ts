import { globSync, readFileSync } from 'node:fs';
import type { Running } from '../../../test/knative/processes.ts';

/** The ids of the containers of these Pods, as the cgroups of their processes have them. */
export function containersOf(pods: readonly Running[]): readonly string[] {
  const all = pods.flatMap(({ status }) => status?.containerStatuses ?? []);
  return all.flatMap(({ containerID }) => (containerID === undefined ? [] : [containerID.replace(/^.*:\/\//, '')]));
}

/** Sends a signal to every process of these containers, which this machine sees as its own. */
export function signalProcesses(containers: readonly string[], signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  for (const path of globSync('/proc/[0-9]*/cgroup')) {
    try {
      const of = readFileSync(path, 'utf8');
      if (containers.some((id) => of.includes(id))) process.kill(Number(path.split('/')[2]), signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
