import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom, startChurn, type Truth } from './churn.ts';
import { type Contestant, endPod, type Tools } from './contestants.ts';
import { makeNamespace, passing } from './ground.ts';
import { clear } from './speed.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface Losses extends Verdict {
  readonly changes: number;
  readonly objects: number;
  /** Seconds from the last change until everything was reported; a minute if something never was. */
  readonly seconds: number;
}

interface Ordeal {
  /** The number of kills, and of namespaces. */
  readonly times: number;
  readonly seed: number;
}

const longestMs = 60_000;
/** Milliseconds: an event that comes twice may come late. */
const restMs = 10_000;

/**
 * Kills the source and makes namespaces in turns, one every three seconds or so, amid changes; returns what was lost. Every other kill
 * leaves the process no time.
 */
export async function lossesOf(tools: Tools, contestant: Contestant, { times, seed }: Ordeal): Promise<Losses> {
  const { site, sink, writer } = tools;
  const random = randomFrom(seed + 1);
  sink.forget();
  const end = startChurn(writer, seed);
  for (let time = 0; time < times; time += 1) {
    await sleep(2000 + 2000 * random());
    await makeNamespace(site, `bench-passing-${contestant.kind.toLowerCase()}-${String(time)}`, passing);
    await sleep(2000 + 2000 * random());
    await endPod(tools, contestant, { grace: 0, isHard: time % 2 === 1 });
  }
  await sleep(2000);
  const { changes, truth } = await end();
  const ended = performance.now();
  const seconds = await untilNothingIsLost(tools, truth);
  await sleep(Math.max(0, ended + restMs - performance.now()));
  const verdict = verdictOf(truth, sink.all());
  tellLost(truth, tools);
  await clear(tools);
  return { ...verdict, changes, objects: truth.size, seconds };
}

async function untilNothingIsLost({ sink }: Tools, truth: ReadonlyMap<string, Truth>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < longestMs && verdictOf(truth, sink.all()).lost > 0) await sleep(250);
  return (performance.now() - began) / 1000;
}

/** Prints each Message that the contestant lost, with the events about it. */
function tellLost(truth: ReadonlyMap<string, Truth>, { sink }: Tools): void {
  for (const [uid, one] of truth) {
    if (verdictOf(new Map([[uid, one]]), sink.all()).lost === 0) continue;
    const heard = sink.all().filter((told) => told.uid === uid);
    const story = heard.map(({ verb, version }) => `${verb} ${version}`).join(', ');
    const is = one.isGone ? 'gone after' : 'at';
    process.stderr.write(`sources: lost: ${one.name} ${uid}, ${is} ${one.version}; reported: ${story || 'nothing'}\n`);
  }
}
