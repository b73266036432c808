// Measures Knudge on real Knative, beside a bare server that Knative starts too. Needs root; KNUDGE_TEST_KNATIVE names a cluster that
// runs already, else one is brought up.
import { serviceNames } from '../functions/table.ts';
import { sleepSoon } from '../test/knative/asleep.ts';
import { ask, gatewayOf } from '../test/knative/direct.ts';
import { home, site as openSite, type Site } from '../test/knative/site.ts';
import { installKnudge } from '../tools/knative/knudge.ts';
import { withKnative } from '../tools/test/cluster.ts';
import { type BenchArguments, readArguments } from './arguments.ts';
import { bareName, measureCold } from './knative/cold.ts';
import { measureCuts } from './knative/cuts/measure.ts';
import type { Coming, Size } from './knative/deliveries.ts';
import { memoryOf, memoryRows } from './knative/memory.ts';
import { measureOneService } from './knative/one-service.ts';
import { partBy } from './knative/part.ts';
import { measureBesidePeers } from './knative/peers.ts';
import { podOfNobody } from './knative/requests.ts';
import { makeServices, removeServices, untilNobodyIsLeft } from './knative/services.ts';
import { measureSources } from './knative/sources/measure.ts';
import { measureStages } from './knative/stages.ts';
import { measureVariants, variants } from './knative/variants.ts';
import { clear, measureBurst, measureWarm } from './knative/warm.ts';
import { type Row, report } from './report.ts';

const parts = [
  'cold',
  'warm',
  'burst',
  'way',
  'settings',
  'service',
  'memory',
  'peers',
  'cuts',
  'deliveries',
  'deliveries-alone',
  'sources',
  'source-to-pod',
] as const;
type Part = (typeof parts)[number];

/** Measured only if they are named. */
const named: readonly Part[] = ['cuts', 'deliveries', 'deliveries-alone', 'sources', 'source-to-pod'];

const usualRounds = 30;

const { wanted, rest } = chosen(process.argv.slice(2));
// A round of the cuts takes minutes, so few of them must do; of the sources one round says a lot.
const isAlone = (...alone: readonly Part[]): boolean => wanted.every((part) => alone.includes(part));
const isOfDeliveries = isAlone('deliveries', 'deliveries-alone');
const args = isAlone('sources')
  ? readArguments(rest, 1)
  : readArguments(rest, isAlone('cuts') || isOfDeliveries ? 3 : usualRounds, isOfDeliveries ? 5 : usualRounds);
const log = (line: string) => void process.stderr.write(`${line}\n`);
const result = await withKnative(process.cwd(), log, () => bench(args));
if (result !== undefined) throw new Error(`No figures: ${result.why}`);

/** `--only cold,way` measures only these parts; a smoke run leaves out the long ones, and those that take long are measured only so. */
function chosen(given: readonly string[]): { readonly wanted: readonly Part[]; readonly rest: readonly string[] } {
  const at = given.indexOf('--only');
  if (at === -1) {
    const short = given.includes('--smoke')
      ? (['cold', 'warm', 'burst', 'way'] as const)
      : parts.filter((part) => !named.includes(part));
    return { wanted: short, rest: given };
  }
  const asked = (given[at + 1] ?? '').split(',');
  const found = parts.filter((part) => asked.includes(part));
  if (found.length !== asked.length) throw new Error(`--only takes some of ${parts.join(',')}`);
  return { wanted: found, rest: given.toSpliced(at, 2) };
}

async function bench(given: BenchArguments): Promise<undefined> {
  const site = openSite();
  if ((await site.get('v1', 'Namespace', { name: home })) === undefined)
    await installKnudge({ dir: site.node, kubeconfig: site.kubeconfig, log });
  const sleepLater = await sleepSoon(site);
  try {
    await makeServices(site, [{ name: bareName }, ...(wanted.includes('settings') ? variants : [])]);
    const rows = await measureAll(site, given);
    report('Knudge on real Knative, beside a bare node:http function of the same image', rows, given);
  } finally {
    await removeServices();
    await clear(site);
    await sleepLater();
  }
  return undefined;
}

async function measureAll(site: Site, { smoke, rounds }: BenchArguments): Promise<readonly Row[]> {
  const gateway = await gatewayOf(site);
  const size = smoke
    ? {
        cold: 1,
        warm: 3,
        burst: { count: 10, rounds: 1 },
        way: { rounds: 1, count: 5 },
        settings: { rounds: 1, count: 5 },
        service: 1,
        peers: { latency: 3, messages: 10, unrelated: 10 },
        cuts: { rounds: 1, warm: 2 },
        deliveries: { rounds: 1, part: 0.1 },
        toPods: { rounds: 1, counts: [20] },
        sources: { rounds: 1, latency: 3, bursts: [20], slow: 20, kills: 2, returns: 1 },
      }
    : {
        cold: rounds,
        warm: 60,
        burst: { count: 300, rounds: 3 },
        way: { rounds: 5, count: 60 },
        settings: { rounds: 15, count: 60 },
        service: 3,
        peers: { latency: 30, messages: 1000, unrelated: 1000 },
        // Thirty of each warm action, in all rounds together.
        cuts: { rounds, warm: Math.ceil(30 / rounds) },
        deliveries: { rounds: isOfDeliveries ? rounds : 1, part: 1 },
        toPods: { rounds: 2, counts: [300, 1000] },
        sources: {
          rounds: isAlone('sources') ? rounds : 1,
          latency: 30,
          bursts: [300, 1000],
          slow: 300,
          kills: 20,
          returns: 3,
        },
      };
  const measures: Readonly<Record<Part, () => Promise<readonly Row[]>>> = {
    cold: () => measureCold(site, gateway, size.cold),
    warm: () => measureWarm(site, gateway, size.warm),
    burst: () => measureBurst(site, size.burst),
    way: () => measureStages(site, gateway, size.way),
    settings: () => measureVariants(site, gateway, size.settings),
    service: () => measureOneService(site, size.service),
    cuts: () => measureCuts(site, size.cuts),
    sources: () => measureSources(site, size.sources),
    deliveries: () => deliveriesThat('together', site, size.deliveries),
    'deliveries-alone': () => deliveriesThat('alone', site, size.deliveries),
    'source-to-pod': async () => {
      // Imported here because it reads the cluster's environment when it is loaded.
      const { measureToPods } = await import('./knative/sources/to-pods.ts');
      return measureToPods(site, size.toPods);
    },
    memory: () => measureMemory(site, gateway),
    peers: () => measureBesidePeers(site, size.peers),
  };
  const rows: Row[] = [];
  for (const part of wanted) rows.push(...(await partBy(part, measures[part])));
  return rows;
}

async function deliveriesThat(coming: Coming, site: Site, size: Size): Promise<readonly Row[]> {
  // Imported here because it reads the cluster's environment when it is loaded.
  const { measureDeliveries } = await import('./knative/deliveries.ts');
  return measureDeliveries(site, size, coming);
}

async function measureMemory(site: Site, gateway: string): Promise<readonly Row[]> {
  await untilNobodyIsLeft(site);
  const atRest = await memoryOf(site);
  await Promise.all(
    serviceNames.map((name) => ask(gateway, name, { headers: podOfNobody.headers, body: podOfNobody.body })),
  );
  return memoryRows(atRest, await memoryOf(site));
}
