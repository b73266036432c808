import { setTimeout as sleep } from 'node:timers/promises';
import { awake } from '../../../test/knative/asleep.ts';
import type { Running } from '../../../test/knative/processes.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { until } from '../../../test/kube/until.ts';
import { residentByContainer } from '../containers.ts';
import { podsOfFunctions } from '../services.ts';

const ofService = 'serving.knative.dev/service';

/** Seconds: a resync that comes in between wakes all functions again. */
const longestAwake = 200;

/** The Pods of these Services that are not on their way out. */
export async function podsOf(site: Site, services: readonly string[]): Promise<readonly Running[]> {
  const pods = (await site.list('v1', 'Pod', home)) as readonly Running[];
  return pods.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined && services.includes(metadata.labels?.[ofService] ?? ''),
  );
}

/** Waits until every function of any cut sleeps. Their Pods are on their way out then, and take no more requests. */
export async function untilAllSleep(site: Site): Promise<void> {
  const isSo = async (): Promise<unknown> => {
    const left = await awake(site);
    if (left.length > 0) return left;
    const names = new Set((await podsOfFunctions(site)).values());
    return (await podsOf(site, [...names])).length === 0;
  };
  await until('all functions sleep', isSo, longestAwake);
  // A random wait, so that not every round meets the same step of the autoscaler's two seconds.
  await sleep(500 + Math.random() * 1500);
  await until('all functions still sleep', isSo, longestAwake);
}

/** Watches which Pods of functions are started while something happens, by the names of their Services. */
export async function watchStarts(site: Site): Promise<() => Promise<readonly string[]>> {
  const before = await podsOfFunctions(site);
  const seen = new Map<string, string>();
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const [pod, service] of await podsOfFunctions(site)) if (!before.has(pod)) seen.set(pod, service);
  };
  const watching = (async () => {
    while (!isOver) {
      await look();
      await sleep(250);
    }
  })();
  // The caller that ends the watch gets the error.
  watching.catch(() => undefined);
  return async () => {
    isOver = true;
    await watching;
    await look();
    return [...seen.values()].sort();
  };
}

/** Megabytes of resident memory of these Services' Pods, queue-proxies included. */
export async function memoryOfPods(site: Site, services: readonly string[]): Promise<number> {
  const pods = await podsOf(site, services);
  const resident = residentByContainer();
  const ids = pods.flatMap(({ status }) => status?.containerStatuses?.map(({ containerID }) => containerID) ?? []);
  return ids.reduce((sum, id) => sum + (resident.get(id?.replace(/^.*:\/\//, '') ?? '') ?? 0), 0);
}
