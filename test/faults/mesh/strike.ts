import { setTimeout as sleep } from 'node:timers/promises';
import { serviceOf } from '../../../functions/table.ts';
import { until } from '../../kube/until.ts';
import type { UserChange } from './damages.ts';
import { type KillPoint, sentenceOf } from './kill-points.ts';
import { killProcess } from './mesh-process.ts';
import type { Stage } from './stage.ts';

/** What one kill met. */
export interface Struck {
  readonly about: string;
  /** Processes that were killed while they waited for an answer. */
  readonly inFlight: number;
  /** Processes that were killed before they listened. */
  readonly starting: number;
  /** It was told to leave before it was killed. */
  readonly told: boolean;
}

export interface StrikeWith {
  readonly stage: Stage;
  /** The next change that wakes the function, and its turn. */
  readonly next: () => UserChange;
  readonly perform: (change: UserChange) => Promise<void>;
}

/** Until the point is reached; a machine with other work needs longer to wake a function than one without. */
const patienceSeconds = 90;
/** From one change to the next, while the call does not come: with waking and the Broker's back-off. */
const pauseSeconds = 8;
/** In which the Broker has its event tried again, and another process starts for it. */
const successorSeconds = 60;

/** Wakes a function, holds it at the point and kills it there. Fails where the point is never reached. */
export async function strike(point: KillPoint, { stage, next, perform }: StrikeWith): Promise<Struck> {
  const { stem, manner, ...place } = point;
  const service = serviceOf(stem);
  let waiting = stage.gate.hold({ ...place, service });
  for (const end = performance.now() + patienceSeconds * 1000; performance.now() < end; ) {
    const change = next();
    await perform(change);
    const held = await Promise.race([waiting.held, sleep(pauseSeconds * 1000, undefined, { ref: false })]);
    if (held === undefined) continue;
    const { hops } = stage.mesh();
    const pids = stage.mesh().pidsOf(service);
    if (manner === 'term') {
      for (const pid of pids) killProcess(pid, 'SIGTERM');
      // It cannot leave while the call is held, however long it is given.
      await sleep(20);
    }
    const from = hops.length;
    const inFlight = pids.filter((pid) => killProcess(pid)).length;
    held.drop();
    if (inFlight === 0) {
      // A call that was still on its way when an earlier kill ended its process.
      waiting = stage.gate.hold({ ...place, service });
      continue;
    }
    const starting = manner === 'twice' ? await killWhileStarting(stage, { service, old: pids, from }) : 0;
    const about = `${sentenceOf(point)}: ${held.call}, after "${change.say}"`;
    return { about, inFlight, starting, told: manner === 'term' };
  }
  waiting.cancel();
  throw new Error(`${sentenceOf(point)} was not reached within ${patienceSeconds} s`);
}

interface Successor {
  readonly service: string;
  /** Those that are dead, or were killed and may still be listed. */
  readonly old: readonly number[];
  /** The hops before are not its own. */
  readonly from: number;
}

/** The Broker tries again, so another process is started: 1 if it died before it said that it listens. */
async function killWhileStarting({ mesh }: Stage, { service, old, from }: Successor): Promise<number> {
  const { hops, pidsOf } = mesh();
  let young: readonly number[] = [];
  await until(
    `${service} is started again`,
    async () => {
      young = pidsOf(service).filter((pid) => !old.includes(pid));
      return young.length > 0 || hopsOf(hops, service, from).includes('woke');
    },
    successorSeconds,
  );
  const killed = young.filter((pid) => killProcess(pid)).length;
  await until(
    `the mesh knows of ${service}`,
    async () => hopsOf(hops, service, from).filter(isEnd).length > old.length || killed === 0,
    successorSeconds,
  );
  return hopsOf(hops, service, from).includes('woke') ? 0 : killed;
}

function hopsOf(hops: ReturnType<Stage['mesh']>['hops'], service: string, from: number): readonly string[] {
  return hops.slice(from).flatMap((hop) => (hop['function'] === service ? [hop.kind] : []));
}

function isEnd(kind: string): boolean {
  return kind === 'crashed';
}

/**
 * The same for the event log, which asks the API server for nothing: it is stopped, given an event and killed. That
 * the event was with it shows in its answer; where it was not yet, more time is given.
 */
export async function strikeEventLog(stage: Stage, url: string): Promise<Struck> {
  const post = async (): Promise<number> => {
    const headers = { 'ce-specversion': '1.0', 'ce-type': 'test', 'ce-id': '1', 'ce-source': '/test' };
    return (await fetch(url, { method: 'POST', headers })).status;
  };
  for (let tries = 0; tries < 6; tries += 1) {
    await until('the event log answers', async () => (await post()) < 300, successorSeconds);
    const pids = stage.mesh().pidsOf('event-log');
    for (const pid of pids) killProcess(pid, 'SIGSTOP');
    const answer = post();
    await sleep(100 * 2 ** tries);
    const inFlight = pids.filter((pid) => killProcess(pid)).length;
    if ((await answer) === 502) return { about: 'event-log with an event', inFlight, starting: 0, told: false };
  }
  throw new Error('no kill of the event log met an event');
}
