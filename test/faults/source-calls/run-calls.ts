import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Watched } from '../../../packages/source/collection.ts';
import { type Api, createApi } from './api.ts';
import { type Cluster, createCluster, type Entry } from './cluster.ts';
import { takeOverDisk } from './disk.ts';
import { apiPorts, createLives, isOfApi, type Lives, type Start } from './lives.ts';
import { takeOverNetwork } from './network.ts';
import { coda, given, type Stage, script, watched } from './script.ts';
import { createSink, type Told } from './sink.ts';
import { type CallFault, createStrikes, type SourceCall, type Struck } from './strikes.ts';
import { takeOverTime } from './time.ts';

export interface CallPlan {
  readonly seed: number;
  readonly faults: readonly CallFault[];
}

/** A run, as far as it can be judged. */
export interface Ran {
  readonly calls: readonly SourceCall[];
  /** This many of them before the script was over: after that it only hears where the API server is. */
  readonly inScript: number;
  readonly struck: readonly Struck[];
  readonly told: readonly Told[];
  readonly starts: readonly Start[];
  readonly logs: ReadonlyMap<Watched, readonly Entry[]>;
  /** What processes said of themselves that they should not say without a reason. */
  readonly said: readonly string[];
  /** Two processes were on one file for a time. */
  readonly overlapped: boolean;
  /** It came to rest: after the script, after what came later, and when all was compared. */
  readonly rested: readonly boolean[];
  /** Events that were sent when all was compared with the file at the end. */
  readonly toldByComparison: number;
}

/** As long as all timeouts of two faults together, and more. */
const mostMs = 900_000;
const lookMs = 250;
/** It is calm when it was this often, one look after the other. */
const looksWanted = 3;

/** Plays the script with these faults, in a time of its own. Any other use of timers, HTTP or SQLite must wait until it has ended. */
export async function runCalls(plan: CallPlan): Promise<Ran> {
  const world = createWorld(plan);
  try {
    return await play(world);
  } finally {
    world.end();
  }
}

type World = ReturnType<typeof createWorld>;

function createWorld({ seed, faults }: CallPlan) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-calls-'));
  const time = takeOverTime(seed);
  const chance = createChance(seed + 1);
  const said: string[] = [];
  const cluster = createCluster(time.now);
  const after = (ms: number, task: () => void): void => void time.after(ms, task);
  const strikes = createStrikes({
    faults,
    time,
    chance,
    lives: () => lives,
    forget: cluster.compact,
    cut: () => api.end('destroy'),
  });
  const api = createApi({ cluster, after, on: strikes.onApi });
  const sink = createSink({
    now: time.now,
    after,
    chance: chance.next,
    on: strikes.onPost,
    taken: strikes.taken,
    lifeOf: (port) => lives.of(port)?.id ?? -1,
  });
  const network = takeOverNetwork(
    (arrived) => (isOfApi(arrived.port) ? api : sink).answer(arrived),
    (port) => lives.of(port)?.isDead !== false,
  );
  const lives = createLives({
    time,
    folder,
    told: () => sink.told.length,
    said: (what) => said.push(what),
    part: network.part,
  });
  const restoreDisk = takeOverDisk(strikes.onWrite);
  const end = (): void => {
    lives.clear();
    network.restore();
    restoreDisk();
    time.restore();
    rmSync(folder, { recursive: true });
  };
  return { time, after, said, cluster, strikes, api, sink, lives, end };
}

async function play(world: World): Promise<Ran> {
  const { time, after, said, cluster, strikes, api, sink, lives } = world;
  const stage: Stage = {
    cluster,
    leave: lives.leave,
    enter: lives.enter,
    bookmark: api.bookmark,
    endWatches: () => api.end('end'),
  };
  given(stage);
  for (const [ms, happens] of script) after(ms, () => happens(stage));
  await time.until(() => time.now() > scriptMs, mostMs);
  const inScript = strikes.calls.length;
  const rested = [await rest(world)];
  strikes.disarm();
  coda(stage);
  rested.push(await rest(world));
  const before = sink.told.length;
  lives.leave();
  await time.until(() => lives.alive().length === 0, mostMs);
  // Something that nobody watches: what was sent is expired by it, so that all is compared.
  cluster.put('ConfigMap', 'lab/of-others', { labels: {} });
  cluster.compact();
  lives.enter();
  rested.push(await rest(world));
  const logs = new Map(watched.map((one) => [one, cluster.log(one)]));
  return {
    calls: strikes.calls,
    inScript,
    struck: strikes.struck,
    told: sink.told,
    starts: lives.starts,
    logs,
    said,
    overlapped: lives.overlapped(),
    rested,
    toldByComparison: sink.told.length - before,
  };
}

const scriptMs = (script.at(-1)?.[0] ?? 0) + 100;

/** Until nothing is left to send. */
function rest(world: World): Promise<boolean> {
  const { time, after, api } = world;
  let looks = 0;
  const look = (): void => {
    api.bookmark();
    looks = isCalm(world) ? looks + 1 : 0;
    if (looks < looksWanted) after(lookMs, look);
  };
  after(lookMs, look);
  return time.until(() => looks === looksWanted, mostMs);
}

interface Calm {
  readonly cluster: Cluster;
  readonly api: Api;
  readonly lives: Lives;
}

function isCalm({ cluster, api, lives }: Calm): boolean {
  const [one, another] = lives.alive();
  if (one?.source === undefined || one.isLeaving || another !== undefined) return false;
  const isThere = [...one.source.positions().values()].every((at) => at === String(cluster.version()));
  return isThere && one.source.counts().waiting === 0 && api.watchesAll(apiPorts + one.id);
}
