import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoPods } from '../test/dataplane/pod/why-not.ts';
import { startWorld } from '../test/dataplane/world/world.ts';
import { readArguments } from './arguments.ts';
import { cpuMsOf } from './cpu.ts';
import { serveBackends, startBackends } from './dataplane/backends.ts';
import { type Contestant, startOther, startProduct } from './dataplane/contestants.ts';
import { findEngines } from './dataplane/engines.ts';
import { type Measured, measure } from './dataplane/load.ts';
import { type Memory, measureStart, memoryOf, type Started } from './dataplane/start.ts';
import { type Row, report } from './report.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';

/** One turn of one contestant. */
interface Turn extends Measured {
  /** Microseconds of CPU that frpc and the program beside it have used for a request. */
  readonly cpu: number;
}

const [first, ...rest] = process.argv.slice(2);
if (first === 'be-backends') serveBackends(rest);
else await bench();

async function bench(): Promise<void> {
  const args = readArguments(process.argv.slice(2), 5);
  const why = whyNoPods();
  if (why !== undefined) throw new Error(`No figures: ${why}`);
  const size = args.smoke ? { warmUp: 200, requests: 500, starts: 2 } : { warmUp: 2000, requests: 8000, starts: 7 };
  const closers: (() => unknown)[] = [];
  try {
    const world = await startWorld({ after: (close) => void closers.push(close as () => unknown) });
    const addresses = [0, 1, 2].map((index) => world.network.backend(index));
    closers.push(await startBackends(import.meta.filename, addresses));
    const parts = { world, addresses, closers };
    const { found, missing } = findEngines();
    const product = await startProduct(parts);
    await sleep(1000);
    const idle = product.pids.map(memoryOf);
    const all = [await startOther(parts), product];
    for (const engine of found) all.push(await startOther(parts, engine));
    const turns = await measureAll(all, { ...size, rounds: args.rounds });
    const loaded = product.pids.map(memoryOf);
    const starts: Started[] = [];
    for (let count = 0; count < size.starts; count += 1) {
      starts.push(await measureStart(world, `start${String(count)}`, addresses[0] ?? ''));
    }
    const rows = [...trafficRows(all, turns), ...startRows(starts), ...memoryRows(idle, loaded)];
    report('The data plane: one http service through frps, with what stands between it and the backends', rows, args);
    if (missing.length > 0) console.log(`Not installed, so left out: ${missing.join(', ')}.`);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

interface Size {
  readonly warmUp: number;
  readonly requests: number;
  readonly rounds: number;
}

/** The turns of each contestant, one a round. */
async function measureAll(
  all: readonly Contestant[],
  { warmUp, requests, rounds }: Size,
): Promise<ReadonlyMap<Contestant, readonly Turn[]>> {
  const turns = new Map<Contestant, Turn[]>(all.map((one) => [one, []]));
  for (const { to } of all) await measure(to, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of shuffled(all)) {
      const before = cpuOf(one);
      const measured = await measure(one.to, requests);
      turns.get(one)?.push({ ...measured, cpu: ((cpuOf(one) - before) * 1000) / requests });
    }
    process.stderr.write(`round ${String(round + 1)} of ${String(rounds)}\n`);
  }
  return turns;
}

function cpuOf({ pids }: Contestant): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

/** Ratios are to the first contestant, round by round. */
function trafficRows(all: readonly Contestant[], turns: ReadonlyMap<Contestant, readonly Turn[]>): readonly Row[] {
  const figures = (one: Contestant | undefined, what: keyof Turn): readonly number[] =>
    (one === undefined ? [] : (turns.get(one) ?? [])).map((turn) => turn[what]);
  return all.map((one) => {
    const ratio = (what: keyof Turn): number => pairedRatio(figures(one, what), figures(all[0], what));
    return {
      name: one.name,
      figures: {
        'requests/s': Math.round(median(figures(one, 'perSecond'))),
        '× requests/s': ratio('perSecond'),
        'p99 ms': median(figures(one, 'p99')),
        '× p99': ratio('p99'),
        'CPU µs/request': median(figures(one, 'cpu')),
        '× CPU': ratio('cpu'),
      },
    };
  });
}

function startRows(starts: readonly Started[]): readonly Row[] {
  const row = (name: string, what: keyof Started): Row => {
    const values = starts.map((one) => one[what]);
    return { name, figures: { 'median ms': median(values), 'longest ms': Math.max(...values) } };
  };
  return [
    row('from the Pod being ready to the first answer', 'fromReady'),
    row('from the creation of the service to the first answer', 'fromCreation'),
  ];
}

function memoryRows(idle: readonly Memory[], loaded: readonly Memory[]): readonly Row[] {
  return ['frpc', 'Envoy'].map((name, index) => ({
    name: `memory of ${name}, MiB`,
    figures: {
      'own, idle': idle[index]?.own ?? Number.NaN,
      'with its share, idle': idle[index]?.shared ?? Number.NaN,
      'own, after the load': loaded[index]?.own ?? Number.NaN,
    },
  }));
}
