import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, memoryAtRest, memoryOf, podsOf, type Tools } from './contestants.ts';
import { containersOf, signalProcesses } from './processes.ts';

/** How fast a contestant reports changes, and what it takes. */
export interface Speed {
  /** Milliseconds from the POST of a Message until its event is here, one at a time. */
  readonly told: readonly number[];
  /** Milliseconds of the same until the API server has answered. */
  readonly made: readonly number[];
  readonly bursts: readonly Burst[];
  /** Messages that were made while it stood still, and the seconds to report them. */
  readonly catchUp: { readonly count: number; readonly seconds: number };
  readonly idleMB: number;
  readonly afterMB: number;
}

export interface Burst {
  readonly count: number;
  /** Seconds until the API server has them all, and until all events are here. */
  readonly madeSeconds: number;
  readonly toldSeconds: number;
  /** The same for their deletion, all by one request. */
  readonly removedSeconds: number;
  readonly removalToldSeconds: number;
  /** Resident memory with all of them there. */
  readonly MB: number;
}

const writers = 8;
const warmUps = 5;
const longestMs = 240_000;

/** Measures single Messages, then bursts of these sizes. */
export async function speedOf(
  tools: Tools,
  contestant: Contestant,
  { latency, bursts }: { readonly latency: number; readonly bursts: readonly number[] },
): Promise<Speed> {
  const idleMB = await memoryAtRest(tools, contestant);
  const { told, made } = await oneByOne(tools, latency);
  const taken: Burst[] = [];
  for (const count of bursts) taken.push(await burstOf(tools, contestant, count));
  const last = taken.at(-1);
  const catchUp = { count: last?.count ?? 0, seconds: await secondsToCatchUp(tools, contestant, last?.count ?? 0) };
  return { told, made, bursts: taken, catchUp, idleMB, afterMB: last?.MB ?? Number.NaN };
}

async function oneByOne(tools: Tools, count: number): Promise<Pick<Speed, 'told' | 'made'>> {
  const { sink, writer } = tools;
  const [told, made]: [number[], number[]] = [[], []];
  for (let number = -warmUps; number < count; number += 1) {
    const name = `one-${String(number + warmUps)}`;
    const isHere = sink.whenTold('add', [name], 30_000);
    isHere.catch(() => undefined);
    const began = performance.now();
    await writer.make(name);
    const answered = performance.now();
    const here = await isHere;
    if (number < 0) continue;
    made.push(answered - began);
    told.push(here - began);
  }
  await clear(tools);
  return { told, made };
}

/** Makes this many Messages with eight writers, and removes them again. */
export async function burstOf(tools: Tools, contestant: Contestant, count: number): Promise<Burst> {
  const { sink, writer } = tools;
  const names = namesOf(count);
  const added = await timed(sink.whenTold('add', names, longestMs), () => makeAll(tools, names));
  const MB = await memoryOf(tools, contestant);
  const removed = await timed(sink.whenTold('delete', names, longestMs), writer.removeAll);
  await clear(tools);
  return {
    count,
    MB,
    madeSeconds: added.done,
    toldSeconds: added.told,
    removedSeconds: removed.done,
    removalToldSeconds: removed.told,
  };
}

/** Seconds until this many Messages are reported that were made while its processes stood still; there are no writes meanwhile. */
async function secondsToCatchUp(tools: Tools, contestant: Contestant, count: number): Promise<number> {
  const containers = containersOf(await podsOf(tools, contestant));
  const names = namesOf(count);
  const areTold = tools.sink.whenTold('add', names, longestMs);
  signalProcesses(containers, 'SIGSTOP');
  try {
    await makeAll(tools, names);
    await sleep(1000);
  } finally {
    signalProcesses(containers, 'SIGCONT');
  }
  const { told } = await timed(areTold, async () => undefined);
  await clear(tools);
  return told;
}

const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `many-${String(number)}`);

async function makeAll({ writer }: Tools, names: readonly string[]): Promise<void> {
  const left = names.values();
  const write = async (): Promise<void> => {
    for (const name of left) await writer.make(name);
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** The seconds that an act takes, and those until it is reported. */
async function timed(isTold: Promise<number>, act: () => Promise<void>) {
  isTold.catch(() => undefined);
  const began = performance.now();
  await act();
  const done = (performance.now() - began) / 1000;
  return { done, told: ((await isTold) - began) / 1000 };
}

/** Removes all Messages, and waits until no event comes any more. */
export async function clear({ sink, writer }: Tools): Promise<void> {
  await writer.removeAll();
  await sink.untilQuiet(3000);
  sink.forget();
}
