import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../build/objects.ts';
import type { Site } from './site.ts';
import { untilProcessed } from './woken.ts';

/** Milliseconds from the creation of a Message until its Pod is there, as somebody sees who asks all the time. */
export function messageToPod(site: Site, namespace: string, name: string): Promise<number> {
  return timeUntilPod(site, { namespace, name, longestMs: 30_000 });
}

interface Asked {
  readonly namespace: string;
  readonly name: string;
  readonly longestMs: number;
}

async function timeUntilPod({ api }: Site, { namespace, name, longestMs }: Asked): Promise<number> {
  const body = message(name, 'how long?', { namespace });
  const began = performance.now();
  const { status } = await api('POST', `/apis/myorg.dev/v1/namespaces/${namespace}/messages`, { body });
  assert.equal(status, 201);
  while (performance.now() - began < longestMs) {
    if ((await api('GET', `/api/v1/namespaces/${namespace}/pods/msg-${name}`)).status === 200)
      return performance.now() - began;
    await sleep(5);
  }
  throw new Error(`Message ${namespace}/${name} has no Pod after ${String(longestMs / 1000)} s`);
}

/** The last status is an event of its own. */
const quietMs = 300;

/**
 * Waits until a Message has been dealt with: its source has one event of a kind under way, so that the next Message would wait for
 * those that the Pod and the status of this one still bring.
 */
export async function untilQuiet(site: Site, namespace: string, name: string): Promise<void> {
  await untilDone(site, namespace, { names: [name] });
}

async function untilDone(site: Site, namespace: string, awaited: Parameters<typeof untilProcessed>[2]): Promise<void> {
  await untilProcessed(site, namespace, awaited);
  await sleep(quietMs);
}

/** Seconds. A thousand Messages that were deleted keep the one node busy for more than half a minute. */
const longestLine = 300;

/** Waits until its source has nothing more under way, however much came before: until a Message of this name has been dealt with. */
export async function untilLineIsFree(site: Site, namespace: string, name: string): Promise<void> {
  await timeUntilPod(site, { namespace, name, longestMs: longestLine * 1000 });
  await untilDone(site, namespace, { names: [name], seconds: longestLine });
}

/** This many, one after the other, each on a line that is free. */
export async function messagesToPods(
  site: Site,
  namespace: string,
  { prefix, count }: { readonly prefix: string; readonly count: number },
): Promise<readonly number[]> {
  const all: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const name = `${prefix}-${String(number)}`;
    all.push(await messageToPod(site, namespace, name));
    await untilQuiet(site, namespace, name);
  }
  return all;
}
