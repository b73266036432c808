import { globSync, readFileSync } from 'node:fs';
import type { Running } from '../../test/knative/processes.ts';
import { home, type Site } from '../../test/knative/site.ts';
import { parseStat } from '../peers/tree.ts';

const namespaces = ['knative-eventing', 'knative-serving', 'kourier-system', 'kube-system', home];

/** The part of the installation that each container belongs to, by the container's id. */
export async function partsOf(site: Site): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  for (const namespace of namespaces) {
    for (const pod of (await site.list('v1', 'Pod', namespace)) as readonly Running[]) {
      for (const { name, containerID } of pod.status?.containerStatuses ?? []) {
        if (containerID !== undefined) parts.set(containerID.replace(/^.*:\/\//, ''), partOf(namespace, pod, name));
      }
    }
  }
  return parts;
}

/** The part that is Knudge's own in a comparison with another controller; all other parts serve any controller. */
export const ownPart = 'functions';

function partOf(namespace: string, { metadata: { labels = {} } }: Running, container: string): string {
  if (namespace !== home) return namespace;
  const service = labels['serving.knative.dev/service'];
  if (service === undefined) return 'adapters of the sources';
  if (service === 'event-log') return container === 'queue-proxy' ? 'queue-proxy of event-log' : 'event-log';
  return container === 'queue-proxy' ? 'queue-proxies of functions' : ownPart;
}

/** Megabytes of the resident memory of each container's processes, by its id; this machine sees the node's processes. */
export function residentByContainer(): ReadonlyMap<string, number> {
  return sumByContainer((folder) => {
    const kB = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`${folder}/status`, 'utf8'))?.[1];
    return kB === undefined ? undefined : Number(kB) / 1000;
  });
}

/** proc(5): USER_HZ, which Linux shows as 100 to all programs. */
const msPerTick = 10;

/** Milliseconds of CPU that the processes of each container have used so far, with those that have ended. */
function cpuByContainer(): ReadonlyMap<string, number> {
  return sumByContainer((folder) => {
    const { ticks } = parseStat(readFileSync(`${folder}/stat`, 'utf8'));
    return (ticks.own + ticks.ended) * msPerTick;
  });
}

function sumByContainer(of: (folder: string) => number | undefined): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const path of globSync('/proc/[0-9]*/cgroup')) {
    try {
      const id = /([0-9a-f]{64})/.exec(readFileSync(path, 'utf8'))?.[1];
      const value = id === undefined ? undefined : of(path.replace(/\/cgroup$/, ''));
      if (id !== undefined && value !== undefined) found.set(id, (found.get(id) ?? 0) + value);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

const everyMs = 1000;

/**
 * Reads the CPU each second while something happens: milliseconds that each part has used meanwhile. What a container used in
 * the last second before its end is missing.
 */
export async function watchCpu(site: Site): Promise<() => Promise<ReadonlyMap<string, number>>> {
  const before = cpuByContainer();
  const parts = new Map<string, string>();
  const latest = new Map<string, number>();
  const look = async (): Promise<void> => {
    for (const [id, ms] of cpuByContainer()) latest.set(id, ms);
    for (const [id, part] of await partsOf(site)) parts.set(id, part);
  };
  let failure: unknown;
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      failure ??= error;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await look();
    if (failure !== undefined) throw failure;
    const used = new Map<string, number>();
    for (const [id, ms] of latest) {
      const part = parts.get(id);
      if (part !== undefined) used.set(part, (used.get(part) ?? 0) + ms - (before.get(id) ?? 0));
    }
    return used;
  };
}
