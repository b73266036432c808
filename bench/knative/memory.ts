import { globSync, readFileSync } from 'node:fs';
import type { Running } from '../../test/knative/processes.ts';
import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';

/** Megabytes that stay in memory, by who has them. */
export type Memory = ReadonlyMap<string, { readonly MB: number; readonly containers: number }>;

const namespaces = ['knative-eventing', 'knative-serving', 'kourier-system', 'kube-system', home];

/** The resident memory of every process of every container, by the part that it is of; this machine sees the node's processes. */
export async function memoryOf(site: Site): Promise<Memory> {
  const resident = residentByContainer();
  const all = new Map<string, { MB: number; containers: number }>();
  for (const namespace of namespaces) {
    for (const pod of (await site.list('v1', 'Pod', namespace)) as readonly Running[]) {
      for (const { name, containerID } of pod.status?.containerStatuses ?? []) {
        const MB = resident.get(containerID?.replace(/^.*:\/\//, '') ?? '');
        if (MB === undefined) continue;
        const part = partOf(namespace, pod, name);
        const known = all.get(part) ?? { MB: 0, containers: 0 };
        all.set(part, { MB: known.MB + MB, containers: known.containers + 1 });
      }
    }
  }
  return all;
}

function partOf(namespace: string, { metadata: { labels = {} } }: Running, container: string): string {
  if (namespace !== home) return namespace;
  const service = labels['serving.knative.dev/service'];
  if (service === undefined) return 'adapters of the sources';
  if (service === 'event-log') return container === 'queue-proxy' ? 'queue-proxy of event-log' : 'event-log';
  return container === 'queue-proxy' ? 'queue-proxies of functions' : 'functions';
}

/** Megabytes that the processes of each container have in memory, by its id. */
export function residentByContainer(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const path of globSync('/proc/[0-9]*/cgroup')) {
    try {
      const id = /([0-9a-f]{64})/.exec(readFileSync(path, 'utf8'))?.[1];
      const kB = /^VmRSS:\s+(\d+)/m.exec(readFileSync(path.replace(/cgroup$/, 'status'), 'utf8'))?.[1];
      if (id !== undefined && kB !== undefined) found.set(id, (found.get(id) ?? 0) + Number(kB) / 1000);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

export function memoryRows(rest: Memory, awake: Memory): readonly Row[] {
  const cells = (memory: Memory, part: string, title: string) => ({
    [`MB ${title}`]: memory.get(part)?.MB ?? 0,
    [`containers ${title}`]: memory.get(part)?.containers ?? 0,
  });
  const parts = [...new Set([...rest.keys(), ...awake.keys()])];
  const sum = (memory: Memory): number => [...memory.values()].reduce((all, { MB }) => all + MB, 0);
  return [
    ...parts.map((part) => ({
      name: `memory: ${part}`,
      figures: { ...cells(rest, part, 'at rest'), ...cells(awake, part, 'awake') },
    })),
    { name: 'memory: all of it', figures: { 'MB at rest': sum(rest), 'MB awake': sum(awake) } },
  ];
}
