import { setTimeout as sleep } from 'node:timers/promises';
import { distributedService, serverProfile } from '../../test/build/objects.ts';
import type { Site } from '../../test/knative/site.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { podsOfFunctions, untilNobodyIsLeft } from './services.ts';

const namespace = 'default';
/** Milliseconds without a new Pod after which it counts as over. */
const quietMs = 15_000;
const longestMs = 90_000;

interface Started {
  /** The function of each Pod that was started. */
  readonly names: readonly string[];
  readonly seconds: number;
}

/** Which functions are started, and how often, for one DistributedService that is made while all sleep. */
export async function measureOneService(site: Site, rounds: number): Promise<readonly Row[]> {
  await site.put({ ...serverProfile('bench'), metadata: { ...serverProfile('bench').metadata, namespace } });
  const all: Started[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await sleep(3000);
      await untilNobodyIsLeft(site);
      all.push(await startedFor(site, `bench-one-${String(round)}`));
    }
  } finally {
    await kubectl('--namespace', namespace, 'delete', 'configmap', 'frps-bench', '--ignore-not-found');
  }
  // The tick of a resync wakes functions that the service does not concern.
  const ticks = all.filter(({ names }) => names.includes('resync-due'));
  return [
    {
      name: 'one DistributedService, all asleep: Pods of functions started',
      figures: {
        n: median(all.map(({ names }) => names.length)),
        's until the last': median(all.map(({ seconds }) => seconds)),
        which: all.map(({ names }) => countsOf(names)).join('; '),
        'ticks of a resync': ticks.length,
      },
    },
  ];
}

async function startedFor(site: Site, name: string): Promise<Started> {
  const seen = new Map<string, string>();
  const began = performance.now();
  await site.put(distributedService(name, { serverProfile: 'bench' }, { namespace }));
  let last = began;
  try {
    while (performance.now() - last < quietMs && performance.now() - began < longestMs) {
      for (const [pod, service] of await podsOfFunctions(site)) {
        if (seen.has(pod)) continue;
        seen.set(pod, service);
        last = performance.now();
      }
      await sleep(200);
    }
  } finally {
    await kubectl('--namespace', namespace, 'delete', 'distributedservice', name, '--wait', '--timeout=90s');
  }
  return { names: [...seen.values()], seconds: (last - began) / 1000 };
}

function countsOf(names: readonly string[]): string {
  const each = [...new Set(names)].sort();
  return each.map((name) => `${name} ${String(names.filter((one) => one === name).length)}`).join(', ');
}
