import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../../../test/knative/site.ts';
import { type Counts, minus, tallyOf } from './counts.ts';
import { type Cut, servicesOf } from './cuts.ts';
import { memoryOfPods, untilAllSleep, watchStarts } from './pods.ts';
import { makeMessages, podToReturn, removeMessages, removeServices, serviceToRunning, untilTheyRest } from './scene.ts';
import { leadTo } from './triggers.ts';

/** What one action on sleeping functions started and took. */
interface Woken {
  readonly ms: number;
  /** The Services of the cut whose Pods were started, one name for each Pod. */
  readonly started: readonly string[];
  /** Other functions that were started: the gate, or those of a resync. */
  readonly others: readonly string[];
  readonly MB: number;
  readonly counts: Counts;
}

/** One turn of a cut. */
export interface Turn {
  readonly service: Woken;
  readonly pod: Woken;
  readonly warmServices: readonly number[];
  readonly warmPods: readonly number[];
  /** The counts of all warm actions together, from the removal of the cold service on. */
  readonly warmCounts: Counts;
}

/** Milliseconds after an action until its last events are handled, while the functions are still awake. */
const restMs = 4000;

/** One service and one Pod from sleep, each by itself, and between them several while the functions are awake. */
export async function turnOf(
  site: Site,
  cut: Cut,
  size: { readonly name: string; readonly warm: number },
): Promise<Turn> {
  await leadTo(site, cut);
  await untilAllSleep(site);
  const tally = tallyOf(site, servicesOf(cut));
  const service = await woken(site, { cut, tally }, () => serviceToRunning(site, `${size.name}-cold`));
  const warmServices: number[] = [];
  for (let number = 0; number < size.warm; number += 1) {
    await removeServices(site);
    await sleep(500);
    warmServices.push(await serviceToRunning(site, `${size.name}-${String(number)}`));
    await tally.read();
  }
  await removeServices(site);
  const messages = Array.from({ length: size.warm + 1 }, (_, number) => `${size.name}-${String(number)}`);
  await makeMessages(site, messages);
  const [last = '', ...warm] = messages;
  const warmPods: number[] = [];
  for (const message of warm) {
    warmPods.push(await podToReturn(site, message));
    await untilTheyRest(site, [message]);
  }
  const warmCounts = minus(await tally.read(), service.counts);
  await untilAllSleep(site);
  const pod = await woken(site, { cut, tally: tallyOf(site, servicesOf(cut)) }, () => podToReturn(site, last));
  await removeMessages(site);
  return { service, pod, warmServices, warmPods, warmCounts };
}

interface Looking {
  readonly cut: Cut;
  readonly tally: ReturnType<typeof tallyOf>;
}

async function woken(site: Site, { cut, tally }: Looking, act: () => Promise<number>): Promise<Woken> {
  const own = servicesOf(cut);
  const ended = await watchStarts(site);
  try {
    const ms = await act();
    const until = performance.now() + restMs;
    let MB = 0;
    while (performance.now() < until) {
      MB = Math.max(MB, await memoryOfPods(site, own));
      await sleep(1000);
    }
    const counts = await tally.read();
    const names = await ended();
    const others = names.filter((name) => !own.includes(name));
    const strange = others.filter((name) => !bystanders.includes(name));
    if (strange.length > 0) throw new Error(`${strange.join(', ')} started, which ${cut.name} does not have`);
    return { ms, started: names.filter((name) => own.includes(name)), others, MB, counts };
  } finally {
    await ended();
  }
}

/** Functions of every cut: for the questions of frps, and for the tick of the resync. */
const bystanders = ['frp-gate', 'resync-due'];
