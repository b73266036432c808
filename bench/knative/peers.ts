import { setTimeout as sleep } from 'node:timers/promises';
import { message, object } from '../../test/build/objects.ts';
import { messagesToPods, messageToPod, untilLineIsFree, untilQuiet } from '../../test/knative/latency.ts';
import type { Site } from '../../test/knative/site.ts';
import { untilProcessed } from '../../test/knative/woken.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { ownPart, watchCpu } from './containers.ts';
import { tallyOf } from './cuts/counts.ts';
import { servicesOf, usual } from './cuts/cuts.ts';
import { watchStarts } from './cuts/pods.ts';
import { memoryOf } from './memory.ts';
import { quantile } from './requests.ts';
import { untilNobodyIsLeft } from './services.ts';
import { burst, clear } from './warm.ts';

export interface Size {
  readonly latency: number;
  readonly messages: number;
  readonly unrelated: number;
}

const namespace = 'default';
const burstMs = 600_000;

/** The rows that `npm run bench:peers` has of other controllers, for Knudge on real Knative; Knative is the platform. */
export async function measureBesidePeers(site: Site, size: Size): Promise<readonly Row[]> {
  await untilNobodyIsLeft(site);
  const idle = await sidesOf(await memoryMbOf(site));
  const first = await firstAnswer(site);
  const latency = await measureLatency(site, size.latency);
  const many = await measureMany(site, size.messages);
  const unrelated = await measureUnrelated(site, size.unrelated);
  return [
    { name: 'peers: memory, everything asleep, MB', figures: idle },
    { name: 'peers: from sleep to the first Message Processed', figures: { ms: first } },
    latency,
    ...many,
    ...unrelated,
  ];
}

/** The figure of the functions, and that of all the rest. */
function sidesOf(parts: ReadonlyMap<string, number>, each = 1): { readonly own: number; readonly platform: number } {
  const own = parts.get(ownPart) ?? 0;
  const all = [...parts.values()].reduce((sum, value) => sum + value, 0);
  return { own: own / each, platform: (all - own) / each };
}

async function memoryMbOf(site: Site): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await memoryOf(site))].map(([part, { MB }]) => [part, MB]));
}

async function firstAnswer(site: Site): Promise<number> {
  const began = performance.now();
  await site.put(message('bench-first', 'first', { namespace }));
  await untilProcessed(site, namespace, { names: ['bench-first'], seconds: 60 });
  return performance.now() - began;
}

/** A Message at a time, each when the last is Processed and quiet; beside each the apply of a ConfigMap. */
async function measureLatency(site: Site, count: number): Promise<Row> {
  await messagesToPods(site, namespace, { prefix: 'bench-before', count: 3 });
  const [toPod, beside]: [number[], number[]] = [[], []];
  for (let number = 0; number < count; number += 1) {
    const name = `bench-row-${String(number)}`;
    toPod.push(await messageToPod(site, namespace, name));
    await untilQuiet(site, namespace, name);
    const began = performance.now();
    await site.put(object('v1 ConfigMap', 'bench-row', { metadata: { namespace }, data: { number: String(number) } }));
    beside.push(performance.now() - began);
  }
  await kubectl('--namespace', namespace, 'delete', 'configmap', 'bench-row', '--ignore-not-found');
  return {
    name: 'peers: from a Message to its Pod, warm',
    figures: {
      'p50 ms': median(toPod),
      'p99 ms': quantile(toPod, 0.99),
      '× a ConfigMap': pairedRatio(toPod, beside),
      n: count,
    },
  };
}

/** Many Messages at once on a node that takes no Pods, with functions that are awake; their cost until nothing is under way. */
async function measureMany(site: Site, count: number): Promise<readonly Row[]> {
  const [node = ''] = (await kubectl('get', 'nodes', '--output=jsonpath={.items[*].metadata.name}')).stdout.split(' ');
  await untilLineIsFree(site, namespace, 'bench-free');
  await kubectl('cordon', node);
  try {
    const tally = tallyOf(site, servicesOf(usual));
    const before = await tally.read();
    const cpu = await watchCpu(site);
    const ms = await burst(site, { kind: 'Message', prefix: 'bench-many', count, longestMs: burstMs });
    await untilTold(site);
    const used = await cpu();
    const after = await tally.read();
    return [
      { name: `peers: ${String(count)} Messages at once, until each has its Pod`, figures: { s: ms / 1000 } },
      { name: 'peers: CPU of each of them, ms', figures: sidesOf(used, count) },
      ...[...used].map(([part, used]) => ({
        name: `peers: CPU of each of them, ms, ${part}`,
        figures: { [part === ownPart ? 'own' : 'platform']: used / count },
      })),
      {
        name: 'peers: requests of the functions to the API server for each of them',
        figures: { reads: (after.reads - before.reads) / count, writes: (after.writes - before.writes) / count },
      },
      {
        name: `peers: memory with ${String(count)} Messages, functions awake, MB`,
        figures: sidesOf(await memoryMbOf(site)),
      },
    ];
  } finally {
    // Cleared first, because the node would start them all.
    try {
      await clear(site);
    } finally {
      await kubectl('uncordon', node);
    }
  }
}

/** Waits until no Message's status changes any more: the sources have brought the changes of the burst. */
async function untilTold(site: Site): Promise<void> {
  const versions = async (): Promise<string> => {
    const all = await site.list('myorg.dev/v1', 'Message', namespace);
    return all.map(({ metadata }) => metadata.resourceVersion).join();
  };
  const end = performance.now() + burstMs;
  for (let before = ''; performance.now() < end; ) {
    const now = await versions();
    if (now === before) return;
    before = now;
    await sleep(5000);
  }
}

/** Pods that no scheduler takes and no controller owns, made while all functions sleep. */
async function measureUnrelated(site: Site, count: number): Promise<readonly Row[]> {
  await untilLineIsFree(site, namespace, 'bench-free-again');
  await untilNobodyIsLeft(site);
  const [cpu, starts, began] = [await watchCpu(site), await watchStarts(site), performance.now()];
  for (let number = 0; number < count; number += 1) await site.put(unrelatedPod(`bench-other-${String(number)}`));
  // A function that their events have not woken yet would count as asleep.
  await sleep(5000);
  await untilNobodyIsLeft(site);
  const [withPods, started, ms] = [await cpu(), await starts(), performance.now() - began];
  await kubectl('--namespace', namespace, 'delete', 'pods', '--selector=knudge.dev/bench', '--wait=false');
  await sleep(5000);
  await untilNobodyIsLeft(site);
  const quiet = await watchCpu(site);
  await sleep(ms);
  const without = await quiet();
  const beyond = new Map([...withPods].map(([part, used]) => [part, used - (without.get(part) ?? 0)]));
  return [
    { name: 'peers: CPU beyond rest for each unrelated Pod, ms', figures: sidesOf(beyond, count) },
    {
      name: `peers: Pods of functions that ${String(count)} unrelated Pods start`,
      figures: { n: started.length, of: started.join(' ') },
    },
  ];
}

function unrelatedPod(name: string) {
  const containers = [{ name: 'main', image: 'docker.io/library/busybox:1.37.0' }];
  return object('v1 Pod', name, {
    metadata: { namespace, labels: { 'knudge.dev/bench': 'yes' } },
    spec: { schedulerName: 'nobody', terminationGracePeriodSeconds: 0, containers },
  });
}
