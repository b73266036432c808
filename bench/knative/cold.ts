import { setTimeout as sleep } from 'node:timers/promises';
import { messageToPod } from '../../test/knative/latency.ts';
import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio, shuffled } from '../statistics.ts';
import { messageGone, podOfNobody, quantile, type Sent, timeOf } from './requests.ts';
import { untilAtZero } from './services.ts';

interface Contestant {
  readonly name: string;
  /** What must be at zero before it. */
  readonly sleeps: readonly string[];
  readonly run: (round: number) => Promise<number>;
}

export const bareName = 'bench-bare';

/** Through the ingress, as Knative itself asks a function; the functions sleep, and who is next is left to chance. */
export async function measureCold(site: Site, gateway: string, rounds: number): Promise<readonly Row[]> {
  const wake = (name: string, service: string, sent: Sent): Contestant => ({
    name,
    sleeps: [service],
    run: () => timeOf({ host: gateway, port: 80, headers: { host: `${service}.${home}.svc.cluster.local` } }, sent),
  });
  const contestants: readonly Contestant[] = [
    wake('cold wake: node:http, bare', bareName, podOfNobody),
    wake('cold wake: pod-changed, a Pod of nobody', 'pod-changed', podOfNobody),
    wake('cold wake: message-changed, a Message that is gone', 'message-changed', messageGone),
    {
      name: 'Message to Pod, cold',
      sleeps: ['message-changed', 'pod-changed'],
      run: (round) => messageToPod(site, 'default', `bench-cold-${String(round)}`),
    },
  ];
  const taken = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, sleeps, run } of shuffled(contestants)) {
      await untilAtZero(site, sleeps);
      // No step of the autoscaler's two seconds is met each time.
      await sleep(500 + Math.random() * 1500);
      taken.get(name)?.push(await run(round));
    }
    process.stderr.write(`cold round ${String(round + 1)} of ${String(rounds)}\n`);
  }
  const bare = taken.get(contestants[0]?.name ?? '') ?? [];
  return contestants.map(({ name }) => timesRow(name, taken.get(name) ?? [], bare));
}

/** How long something took, and how much longer than the bare server in the same round. */
export function timesRow(name: string, values: readonly number[], bare: readonly number[]): Row {
  return {
    name,
    figures: {
      'min ms': Math.min(...values),
      'p50 ms': median(values),
      'p99 ms': quantile(values, 0.99),
      'max ms': Math.max(...values),
      '× bare': pairedRatio(values, bare),
      n: values.length,
    },
  };
}
