import { setTimeout as sleep } from 'node:timers/promises';
import { messageToPod } from '../../test/knative/latency.ts';
import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio, shuffled } from '../statistics.ts';
import { messageGone, podOfNobody, quantile, type Sent, type Target, timeOf } from './requests.ts';
import { untilAtZero } from './services.ts';

interface Contestant {
  readonly name: string;
  /** The Services that must be at zero before it. */
  readonly sleeps: readonly string[];
  readonly run: (round: number) => Promise<Woken>;
}

interface Woken {
  readonly ms: number;
  /** Whether the first try was lost; its time counts too. */
  readonly again: boolean;
}

export const bareName = 'bench-bare';

/** Through the ingress, as Knative itself sends requests to a function; the functions sleep. */
export async function measureCold(site: Site, gateway: string, rounds: number): Promise<readonly Row[]> {
  const wake = (name: string, { service, path = '/' }: { service: string; path?: string }, sent: Sent): Contestant => ({
    name,
    sleeps: [service],
    run: () =>
      wakeTime({ host: gateway, port: 80, path, headers: { host: `${service}.${home}.svc.cluster.local` } }, sent),
  });
  const shared = 'distributed-service';
  const podWake = wake(
    'cold wake: distributed-service, an unrelated Pod',
    { service: shared, path: '/pod-changed' },
    podOfNobody,
  );
  const contestants: readonly Contestant[] = [
    wake('cold wake: node:http, bare', { service: bareName }, podOfNobody),
    podWake,
    wake('cold wake: message-changed, a Message that is gone', { service: 'message-changed' }, messageGone),
    {
      name: 'Message to Pod, cold',
      sleeps: ['message-changed', shared],
      run: async (round) => ({
        ms: await messageToPod(site, 'default', `bench-cold-${String(round)}`),
        again: false,
      }),
    },
  ];
  const whole: (readonly Woken[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    try {
      whole.push(await roundOf(site, contestants, round));
      process.stderr.write(`cold round ${String(round + 1)} of ${String(rounds)}\n`);
    } catch (error) {
      // One lost round among thirty is reported, and the others still count.
      process.stderr.write(`cold round ${String(round + 1)} is lost: ${saidBy(error)}\n`);
    }
  }
  if (whole.length < 0.9 * rounds)
    throw new Error(`${String(rounds - whole.length)} of ${String(rounds)} rounds are lost`);
  const of = (at: number) => whole.flatMap((round) => round[at] ?? []);
  const bare = of(0).map(({ ms }) => ms);
  return contestants.map(({ name }, at) => {
    const own = of(at);
    const { figures } = timesRow(
      name,
      own.map(({ ms }) => ms),
      bare,
    );
    return { name, figures: { ...figures, again: own.filter(({ again }) => again).length } };
  });
}

/** The time of each contestant, in their order; they are measured in a random order. */
async function roundOf(site: Site, contestants: readonly Contestant[], round: number): Promise<readonly Woken[]> {
  const taken = new Map<Contestant, Woken>();
  for (const contestant of shuffled(contestants)) {
    await untilAtZero(site, contestant.sleeps);
    // A random wait, so that not every round meets the same step of the autoscaler's two seconds.
    await sleep(500 + Math.random() * 1500);
    taken.set(contestant, await contestant.run(round));
  }
  return contestants.flatMap((contestant) => taken.get(contestant) ?? []);
}

/** As Knative does, once more if the first try is lost: an instance that just ends can lose a request. */
async function wakeTime(target: Target, sent: Sent): Promise<Woken> {
  const began = performance.now();
  try {
    return { ms: await timeOf(target, sent), again: false };
  } catch (error) {
    process.stderr.write(`tried once more: ${saidBy(error)}\n`);
    await timeOf(target, sent);
    return { ms: performance.now() - began, again: true };
  }
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
