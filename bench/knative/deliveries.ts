import { setTimeout as sleep } from 'node:timers/promises';
import { allReady, apply, goBack, type Parts } from '../../test/knative/installed.ts';
import type { Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { watchCpu } from './containers.ts';
import { timeOf } from './requests.ts';
import { ingress, messageAsItIs } from './stages.ts';
import { clear } from './warm.ts';

interface Size {
  readonly rounds: number;
  /** Events of each turn. */
  readonly count: number;
}

const plain: Parts = { resources: ['deploy'] };
const reporting: Parts = { resources: ['deploy/overlays/deliveries'] };
/** Events a second: fewer than a batch of reports holds, so one report goes out for each second. */
const rate = 25;
/** Milliseconds after the last event in which the reports are delivered and stored. */
const afterMs = 10_000;

/** Milliseconds of CPU by the part of the installation. */
type Used = ReadonlyMap<string, number>;

/**
 * What an event through the Broker costs each part of the installation, with the overlay `deliveries` and without, in turns: the
 * event of a Message that is as it should be. The windows are of the same length, so what runs in any case is in both.
 */
export async function measureDeliveries(site: Site, { rounds, count }: Size): Promise<readonly Row[]> {
  const without: Used[] = [];
  const reported: Used[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      without.push(await turn(site, plain, count));
      reported.push(await turn(site, reporting, count));
      process.stderr.write(`deliveries: round ${String(round + 1)} of ${String(rounds)}\n`);
    }
  } finally {
    await clear(site);
    await goBack(reporting);
  }
  const parts = [...new Set([...without, ...reported].flatMap((used) => [...used.keys()]))].sort();
  const rowOf = (name: string, of: (used: Used) => number): Row => {
    const [bare, more] = [without, reported].map((each) => each.map((used) => of(used) / count));
    const figures = {
      without: median(bare ?? []),
      with: median(more ?? []),
      '× without': pairedRatio(more ?? [], bare ?? []),
    };
    return { name: `deliveries: CPU of an event, ms: ${name}`, figures };
  };
  return [
    ...parts.map((part) => rowOf(part, (used) => used.get(part) ?? 0)),
    rowOf('all of it', (used) => [...used.values()].reduce((sum, ms) => sum + ms, 0)),
  ];
}

async function turn(site: Site, parts: Parts, count: number): Promise<Used> {
  await apply(parts);
  await allReady();
  const sent = await messageAsItIs(site);
  const target = await ingress(site, 'knudge');
  const all = async (events: number): Promise<void> => {
    const under: Promise<number>[] = [];
    for (let at = 0; at < events; at += 1) {
      const headers = { ...sent.headers, 'ce-id': `bench-${String(Date.now())}-${String(at)}` };
      under.push(timeOf(target, { ...sent, headers }));
      await sleep(1000 / rate);
    }
    await Promise.all(under);
  };
  // Wakes the function, and fills its caches.
  await all(2 * rate);
  await sleep(afterMs);
  const cpu = await watchCpu(site);
  const began = performance.now();
  await all(count);
  await sleep(Math.max(0, (count / rate) * 1000 * 1.5 + afterMs - (performance.now() - began)));
  return cpu();
}
