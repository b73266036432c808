import { setTimeout as sleep } from 'node:timers/promises';
import { allReady, apply, goBack, type Parts } from '../../test/knative/installed.ts';
import type { Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { watchCpu } from './containers.ts';
import { timeOf } from './requests.ts';
import { ingress, messageAsItIs } from './stages.ts';
import { clear } from './warm.ts';

export interface Size {
  readonly rounds: number;
  /** Of the events of a turn this part is sent; 1 but in a smoke run. */
  readonly part: number;
}

const plain: Parts = { resources: ['deploy'] };
const reporting: Parts = { resources: ['deploy/overlays/deliveries'] };
/**
 * How events come: `together` are fewer in a second than a batch of reports holds, so one report goes out for each second; `alone`
 * each brings a report of its own.
 */
const ways = { together: { apartMs: 40, count: 500 }, alone: { apartMs: 1250, count: 100 } } as const;
export type Coming = keyof typeof ways;
/** Milliseconds that sending an event may take beyond its time. */
const driftMs = 20;
/** Milliseconds after the last event in which the reports are delivered and stored. */
const afterMs = 10_000;

/** Milliseconds of CPU by the part of the installation. */
type Used = ReadonlyMap<string, number>;

/**
 * What an event through the Broker costs each part of the installation, with the overlay `deliveries` and without, in turns: the
 * event of a Message that is as it should be. The windows are of the same length, so what runs in any case is in both.
 */
export async function measureDeliveries(site: Site, { rounds, part }: Size, coming: Coming): Promise<readonly Row[]> {
  const { apartMs, count: whole } = ways[coming];
  const sending = { apartMs, count: whole * part };
  const without: Used[] = [];
  const reported: Used[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      without.push(await turn(site, plain, sending));
      reported.push(await turn(site, reporting, sending));
      process.stderr.write(`deliveries ${coming}: round ${String(round + 1)} of ${String(rounds)}\n`);
    }
  } finally {
    await clear(site);
    await goBack(reporting);
  }
  const parts = [...new Set([...without, ...reported].flatMap((used) => [...used.keys()]))].sort();
  const rowOf = (name: string, of: (used: Used) => number): Row => {
    const [bare, more] = [without, reported].map((each) => each.map((used) => of(used) / sending.count));
    const figures = {
      without: median(bare ?? []),
      with: median(more ?? []),
      '× without': pairedRatio(more ?? [], bare ?? []),
    };
    return { name: `deliveries: CPU of an event that comes ${coming}, ms: ${name}`, figures };
  };
  return [
    ...parts.map((part) => rowOf(part, (used) => used.get(part) ?? 0)),
    rowOf('all of it', (used) => [...used.values()].reduce((sum, ms) => sum + ms, 0)),
  ];
}

interface Sending {
  readonly apartMs: number;
  readonly count: number;
}

async function turn(site: Site, parts: Parts, { apartMs, count }: Sending): Promise<Used> {
  await apply(parts);
  await allReady();
  const sent = await messageAsItIs(site);
  const target = await ingress(site, 'knudge');
  const all = async (events: number, pauseMs: number): Promise<void> => {
    const under: Promise<number>[] = [];
    for (let at = 0; at < events; at += 1) {
      const headers = { ...sent.headers, 'ce-id': `bench-${String(Date.now())}-${String(at)}` };
      under.push(timeOf(target, { ...sent, headers }));
      await sleep(pauseMs);
    }
    await Promise.all(under);
  };
  // Wakes the function, and fills its caches.
  await all(50, ways.together.apartMs);
  await sleep(afterMs);
  const cpu = await watchCpu(site);
  const began = performance.now();
  await all(count, apartMs);
  await sleep(Math.max(0, count * (apartMs + driftMs) + afterMs - (performance.now() - began)));
  return cpu();
}
