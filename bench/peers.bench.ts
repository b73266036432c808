// The same Message operator on other frameworks and on Knudge, in turns on one real API server: npm run bench:peers
import { mkdtempSync, rmSync } from 'node:fs';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPeersArguments } from './peers/arguments.ts';
import { type Cluster, openCluster } from './peers/cluster.ts';
import { type Contestant, type ContestantName, contestants, idleSeconds, missing } from './peers/contestants.ts';
import { measureCurve } from './peers/curve.ts';
import { conditionsOf } from './peers/documents.ts';
import { draw, readMeasured } from './peers/draw.ts';
import { figuresOf } from './peers/figures.ts';
import { type Figures, type Measured, type Point, whole } from './peers/measured.ts';
import { callsTable, curveTable, goalsTable, type Table, tableOf } from './peers/tables.ts';
import { measureTurn, type Ready, type Sizes } from './peers/turn.ts';
import { shuffled } from './statistics.ts';

const began = Date.now();
const args = readPeersArguments(process.argv.slice(2));
const log = (line: string) =>
  process.stderr.write(`[${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const sizes: Sizes = args.smoke
  ? { latency: 3, messages: args.messages, unrelated: 20, restMs: 500 }
  : { latency: 30, messages: args.messages, unrelated: 1000, restMs: (idleSeconds + 3) * 1000 };
const failures = new Map<ContestantName, string>();
const measured = args.from === undefined ? await measureAll() : readMeasured(args.from);
if (args.json) console.log(JSON.stringify(measured, undefined, 2));
else tell(measured);
if (args.draw) for (const file of draw(measured)) log(`Written: ${file}`);
if (measured.contenders.some(({ failure }) => failure !== undefined)) process.exitCode = 1;

async function measureAll(): Promise<Measured> {
  const chosen = contestants.filter(({ name }) => args.only.includes(name));
  const ready: Ready[] = [];
  // One after the other, because they share the processors.
  for (const contestant of chosen) ready.push({ contestant, command: await contestant.prepare(log) });
  const dir = mkdtempSync(join(tmpdir(), 'knudge-bench-peers-'));
  const before = loadavg()[0] ?? 0;
  const cluster = await openCluster(dir, args.only, log);
  // Registered after the cluster's own, which ends the processes that write there.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  try {
    const turns = await measureTurns(cluster, ready);
    const curves = await measureCurve({ cluster, ready, restMs: sizes.restMs, log }, args.pods, fail);
    return measuredOf(chosen, { turns, curves, load: [before, loadavg()[0] ?? 0] });
  } finally {
    await cluster.stop();
  }
}

/** In each round every contestant has a turn, in another order. */
async function measureTurns(
  cluster: Cluster,
  ready: readonly Ready[],
): Promise<ReadonlyMap<Contestant, readonly Figures[]>> {
  const all = new Map<Contestant, Figures[]>();
  for (let round = 1; round <= args.rounds; round += 1) {
    for (const { contestant, command } of shuffled(ready)) {
      log(`Round ${String(round)} of ${String(args.rounds)}: ${contestant.label}`);
      try {
        const turn = await measureTurn({ cluster, contestant, command }, sizes);
        const figures = figuresOf(turn, sizes);
        all.set(contestant, [...(all.get(contestant) ?? []), figures]);
        log(lineOf(figures));
      } catch (error) {
        fail(contestant, error);
      }
    }
  }
  return all;
}

function lineOf({ p50, burstProcessed, cpuMs, idleMb }: Figures): string {
  const [ms, mb] = [whole(cpuMs).toFixed(1), whole(idleMb).toFixed(0)];
  return `p50 ${p50.toFixed(1)} ms, burst ${(burstProcessed / 1000).toFixed(1)} s, CPU ${ms} ms a Message, ${mb} MB idle`;
}

/** A contestant that did not do its work gets no figures, and the run has failed. */
function fail({ name, label }: Contestant, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  log(`${label}: ${why}`);
  failures.set(name, why);
}

interface Results {
  readonly turns: ReadonlyMap<Contestant, readonly Figures[]>;
  readonly curves: ReadonlyMap<Contestant, readonly Point[]>;
  readonly load: readonly number[];
}

function measuredOf(chosen: readonly Contestant[], { turns, curves, load }: Results): Measured {
  return {
    date: new Date(began).toISOString(),
    system: `Node ${process.version}, ${platform()} ${arch()}`,
    cpus: cpus().length,
    load,
    latency: sizes.latency,
    messages: sizes.messages,
    unrelated: sizes.unrelated,
    contenders: chosen.map((contestant) => {
      const failure = failures.get(contestant.name);
      return {
        name: contestant.name,
        label: contestant.label,
        turns: turns.get(contestant) ?? [],
        curve: curves.get(contestant) ?? [],
        ...(failure !== undefined && { failure }),
      };
    }),
    missing,
  };
}

function tell(all: Measured): void {
  console.log(`The same Message operator beside its peers\n${conditionsOf(all)}`);
  for (const table of [tableOf(all), callsTable(all), curveTable(all), goalsTable(all)]) print(table);
  if (args.smoke) console.log('A smoke run: the figures say nothing.');
}

function print({ head, rows }: Table): void {
  const cellsOf = (row: readonly string[]) =>
    Object.fromEntries(head.slice(1).map((name, at) => [name || '·', row[at + 1]]));
  console.table(Object.fromEntries(rows.map((row) => [row[0], cellsOf(row)])));
}
