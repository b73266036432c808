import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { byWriters, type Kube } from '../mesh/kube.ts';
import { configMap } from '../mesh/objects.ts';
import { auditFromNow, type Calls, sumOf } from './audit.ts';
import { faultsOf } from './check.ts';
import { type Cluster, clear, makeUnrelated, removeUnrelated, userOf } from './cluster.ts';
import type { Command, Contestant } from './contestants.ts';
import { message, namespace, paths } from './objects.ts';
import { type Standing, start } from './standing.ts';
import type { Split, Usage } from './tree.ts';
import { type Watching, watchMessages } from './watching.ts';

/** The results of one turn of one contestant. Milliseconds and megabytes. */
export interface Turn {
  /** From its start, with a Message that was made while it was away, until that is Processed. */
  readonly toFirstAnswer: number;
  readonly idleMb: Split;
  /** From the apply of a Message to its Pod, one after the other. */
  readonly toPod: readonly number[];
  /** Beside each, from the apply of a ConfigMap to its answer. */
  readonly bare: readonly number[];
  /** A burst: until all have their Pods, and until all are Processed. */
  readonly burst: { readonly pods: number; readonly processed: number };
  /** Of the burst, for each of its Messages. */
  readonly cpuMs: Split;
  readonly calls: Calls;
  /** With the Messages of the burst. */
  readonly fullMb: Split;
  /** What unrelated Pods, made one after the other, have cost beyond the same time without. */
  readonly unrelated: { readonly waits: Split; readonly cpuMs: Split; readonly calls: number };
}

export interface Sizes {
  readonly latency: number;
  readonly messages: number;
  readonly unrelated: number;
  /** Milliseconds before memory is read: longer than any function of Knudge stays awake, and than V8 takes to give memory back. */
  readonly restMs: number;
}

/** A contestant whose programs are there. */
export interface Ready {
  readonly contestant: Contestant;
  readonly command: (kubeconfig: string) => Command;
}

interface Parts extends Ready {
  readonly cluster: Cluster;
}

const longestMs = 240_000;
const longestSleepless = 30_000;
const writers = 16;

/** Starts a contestant, and waits until it is ready for the measurement; also gives how long its first right answer took. */
export async function withContestant<Result>(
  { cluster, contestant, command }: Parts,
  work: (running: Standing, watching: Watching, toFirstAnswer: number) => Promise<Result>,
): Promise<Result> {
  const { name, isPlatform } = contestant;
  const kubeconfig = cluster.kubeconfigOf(name);
  const watching = await watchMessages(cluster.kube);
  await cluster.kube.call({ method: 'POST', path: paths.messages, body: message('first') });
  const began = performance.now();
  const log = join(kubeconfig, '..', `${name}.log`);
  const running = start(command(kubeconfig), { kubeconfig, podSpec: cluster.podSpec, log, isPlatform });
  try {
    const at = await watching.until('processed', ['first'], 60_000);
    return await work(running, watching, at - began);
  } catch (error) {
    running.insist();
    throw error;
  } finally {
    watching.stop();
    await running.stop();
    await clear(cluster.kube);
  }
}

export function measureTurn(parts: Parts, sizes: Sizes): Promise<Turn> {
  const { cluster, contestant } = parts;
  return withContestant(parts, async (running, watching, toFirstAnswer) => {
    await rest(running, sizes.restMs);
    const idleMb = memoryOf(running.usage());
    const { toPod, bare } = await measureLatency(cluster.kube, watching, sizes.latency);
    await sleep(1000);
    const audit = auditFromNow(cluster.auditLog);
    const before = running.usage();
    const names = Array.from({ length: sizes.messages }, (_, index) => `burst-${String(index)}`);
    const burst = await measureBurst(cluster.kube, watching, names);
    await rest(running, sizes.restMs);
    const after = running.usage();
    const calls = audit.callsOf(userOf(contestant.name));
    await insistOnWork(cluster.kube, watching, names);
    const unrelated = await measureUnrelated(parts, running, sizes.unrelated);
    const cpuMs = split(after, before, (one, other) => (one.cpuMs - other.cpuMs) / sizes.messages);
    return { toFirstAnswer, idleMb, toPod, bare, burst, cpuMs, calls, fullMb: memoryOf(after), unrelated };
  });
}

/** Until memory is given back and, with a platform, all the rest sleeps; on a busy machine that takes its time. */
export async function rest(running: Standing, ms: number): Promise<void> {
  await sleep(ms);
  const end = performance.now() + longestSleepless;
  const isAwake = ({ own, platform }: Split<Usage>): boolean => platform.rssMb > 0 && own.rssMb > 0;
  while (isAwake(running.usage()) && performance.now() < end) await sleep(200);
}

export function memoryOf({ own, platform }: Split<Usage>): Split {
  return { own: own.rssMb, platform: platform.rssMb };
}

function split(one: Split<Usage>, other: Split<Usage>, of: (one: Usage, other: Usage) => number): Split {
  return { own: of(one.own, other.own), platform: of(one.platform, other.platform) };
}

/** Each when the last is Processed. The first ones wake sleeping functions, and do not count. */
async function measureLatency(kube: Kube, watching: Watching, count: number): Promise<Pick<Turn, 'toPod' | 'bare'>> {
  const [toPod, bare]: [number[], number[]] = [[], []];
  for (let number = -2; number < count; number += 1) {
    const name = `slow-${String(number + 2)}`;
    const [there, done] = [watching.until('pod', [name], longestMs), watching.until('processed', [name], longestMs)];
    const began = performance.now();
    await kube.apply(`${paths.messages}/${name}`, message(name));
    const took = (await there) - began;
    await done;
    await sleep(50);
    const again = performance.now();
    await kube.apply(`${paths.configMaps}/${name}`, { ...configMap(name), metadata: { name, namespace } });
    if (number >= 0) {
      toPod.push(took);
      bare.push(performance.now() - again);
    }
  }
  return { toPod, bare };
}

async function measureBurst(kube: Kube, watching: Watching, names: readonly string[]): Promise<Turn['burst']> {
  const [there, done] = [watching.until('pod', names, longestMs), watching.until('processed', names, longestMs)];
  const began = performance.now();
  const made = byWriters(names, writers, (name) =>
    kube.call({ method: 'POST', path: paths.messages, body: message(name) }),
  );
  const [pods, processed] = await Promise.all([there, done, made]);
  return { pods: pods - began, processed: processed - began };
}

async function insistOnWork(kube: Kube, { timesProcessed }: Watching, names: readonly string[]): Promise<void> {
  const [messages, pods] = await Promise.all([paths.messages, paths.pods].map((path) => listOf(kube, path)));
  const faults = faultsOf(names, { messages: messages ?? [], pods: pods ?? [], timesProcessed });
  if (faults.length > 0) throw new Error(`${String(faults.length)} faults, such as: ${faults.slice(0, 3).join('; ')}`);
}

async function listOf(kube: Kube, path: string): Promise<readonly KubeObject[]> {
  return ((await kube.call({ method: 'GET', path })) as { readonly items: readonly KubeObject[] }).items;
}

/** First as much time in which nothing happens, then the Pods. */
async function measureUnrelated(
  { cluster, contestant }: Parts,
  running: Standing,
  count: number,
): Promise<Turn['unrelated']> {
  const { kube, auditLog } = cluster;
  const audit = auditFromNow(auditLog);
  const first = running.usage();
  const began = performance.now();
  await makeUnrelated(kube, { from: 0, to: count });
  await sleep(1000);
  const second = running.usage();
  const calls = sumOf(audit.callsOf(userOf(contestant.name)));
  const ms = performance.now() - began;
  await removeUnrelated(kube);
  await sleep(3000);
  const third = running.usage();
  await sleep(ms);
  const last = running.usage();
  const beyond = (pick: (usage: Usage) => number): Split => {
    const [withPods, without] = [
      [second, first],
      [last, third],
    ].map(([one, other]) =>
      one && other ? split(one, other, (now, before) => pick(now) - pick(before)) : { own: 0, platform: 0 },
    );
    return {
      own: (withPods?.own ?? 0) - (without?.own ?? 0),
      platform: (withPods?.platform ?? 0) - (without?.platform ?? 0),
    };
  };
  return { waits: beyond(({ waits }) => waits), cpuMs: beyond(({ cpuMs }) => cpuMs), calls };
}
