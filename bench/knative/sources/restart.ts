import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../../test/knative/processes.ts';
import { type Contestant, endPod, podsOf, type Tools } from './contestants.ts';
import { clear } from './speed.ts';

const everyMs = 100;
/** Milliseconds after a new Pod is Ready within which it reports changes again. */
const restMs = 8000;
const longestMs = 90_000;

/** Seconds from the deletion of the Pod, with its usual grace, until a change is reported again. */
export async function secondsToReturn(tools: Tools, contestant: Contestant): Promise<number> {
  const { sink, writer } = tools;
  await writer.make('steady');
  await sink.untilQuiet(2000);
  sink.forget();
  const before = new Set((await podsOf(tools, contestant)).map(({ metadata }) => metadata.name));
  const began = performance.now();
  await endPod(tools, contestant);
  let readyAt = Number.POSITIVE_INFINITY;
  let looked = 0;
  for (let number = 0; performance.now() < Math.min(readyAt + restMs, began + longestMs); number += 1) {
    await writer.change('steady', `change ${String(number)}`);
    if (readyAt === Number.POSITIVE_INFINITY && performance.now() - looked > 500) {
      looked = performance.now();
      const pods = await podsOf(tools, contestant);
      if (pods.some((pod) => !before.has(pod.metadata.name) && isReady(pod))) readyAt = performance.now();
    }
    await sleep(everyMs);
  }
  const times = [began, ...sink.all().map(({ at }) => at)].filter((at) => at >= began);
  await clear(tools);
  return (afterLongestGap(times) - began) / 1000;
}

/** The old Pod may report changes for a moment still, so the return is after the longest silence. */
function afterLongestGap(times: readonly number[]): number {
  let [longest, after] = [0, Number.NaN];
  for (const [number, at] of times.entries()) {
    const gap = at - (times[number - 1] ?? at);
    if (gap > longest) [longest, after] = [gap, at];
  }
  return after;
}
