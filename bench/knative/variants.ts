import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio, shuffled } from '../statistics.ts';
import { bareName } from './cold.ts';
import { burstOf, podOfNobody, timeOf, timesOf } from './requests.ts';
import { untilAtZero, type Variant } from './services.ts';

const stem = 'pod-changed';
const capacity = 'autoscaling.knative.dev/target-burst-capacity';
const memory = { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } };

/** A copy of pod-changed for each setting; the first is as deploy/functions has it. */
export const variants: readonly Variant[] = [
  { name: 'bench-as-it-is', stem },
  { name: 'bench-capacity-0', stem, annotations: { [capacity]: '0' } },
  { name: 'bench-capacity-all', stem, annotations: { [capacity]: '-1' } },
  { name: 'bench-concurrency-1', stem, containerConcurrency: 1 },
  { name: 'bench-half-a-core', stem, resources: { ...memory, limits: { ...memory.limits, cpu: '500m' } } },
];

const meanings: Readonly<Record<string, string>> = {
  [bareName]: 'node:http, bare',
  'bench-as-it-is': 'as deploy/ has it',
  'bench-capacity-0': 'target-burst-capacity 0',
  'bench-capacity-all': 'target-burst-capacity -1',
  'bench-concurrency-1': 'containerConcurrency 1',
  'bench-half-a-core': 'a limit of half a core',
};

interface Taken {
  readonly cold: number[];
  readonly warm: number[];
  readonly many: number[];
}

/** Each variant from zero, then one request at a time, then 16 at a time; all by Kourier, in a random order. */
export async function measureVariants(
  site: Site,
  gateway: string,
  { rounds, count }: { readonly rounds: number; readonly count: number },
): Promise<readonly Row[]> {
  const names = [bareName, ...variants.map(({ name }) => name)];
  const taken = new Map<string, Taken>(names.map((name) => [name, { cold: [], warm: [], many: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(names)) {
      const target = { host: gateway, port: 80, headers: { host: `${name}.${home}.svc.cluster.local` } };
      await untilAtZero(site, [name]);
      const own = taken.get(name);
      own?.cold.push(await timeOf(target, podOfNobody));
      own?.warm.push(median(await timesOf(target, podOfNobody, count)));
      own?.many.push((await burstOf(target, podOfNobody, { count: 4 * count, atOnce: 16 })) / (4 * count));
    }
    process.stderr.write(`round ${String(round + 1)} of ${String(rounds)} of the settings\n`);
  }
  const bare = taken.get(bareName);
  return names.map((name) => {
    const own = taken.get(name);
    const figures = (what: keyof Taken, title: string) => ({
      [`${title} ms`]: median(own?.[what] ?? []),
      [`× bare, ${title}`]: pairedRatio(own?.[what] ?? [], bare?.[what] ?? []),
    });
    return {
      name: `settings: ${meanings[name] ?? name}`,
      figures: { ...figures('cold', 'cold'), ...figures('warm', 'warm'), ...figures('many', 'each of 16') },
    };
  });
}
