import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceOf } from '../../../functions/table.ts';
import { aloneStems, questionStems } from '../../build/stems.ts';
import { until } from '../../kube/until.ts';
import { seeded } from '../input/random.ts';
import { createTenant } from './changes.ts';
import type { UserChange } from './damages.ts';
import { type KillPoint, killRounds } from './kill-points.ts';
import { staysAtRest } from './rest.ts';
import { openStage, type Stage } from './stage.ts';
import { type Struck, strike, strikeEventLog } from './strike.ts';

const seed = Number(process.env['SEED'] ?? 20261121);
/** Those that an event wakes, and that ask the API server. */
const stems = aloneStems.filter((stem) => !(questionStems as readonly string[]).includes(stem));
/** For each of them; more is for who has more time. */
const pointsEach = Number(process.env['POINTS'] ?? 4);
const atOnce = 3;
/** For what must come true in the end. How long it took is said, and is nobody's promise on a machine with other work. */
const patienceSeconds = 120;
/** This many more are killed twice until one of the second kills met a process that was starting. */
const mostTwice = 12;

test(`functions die at ${pointsEach * stems.length} points, and everything is right in the end (SEED=${seed})`, async (context) => {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
  const stage = await openStage();
  context.after(stage.close);
  stage.start();
  await stage.up();
  const random = seeded(seed);
  const tenant = createTenant('faults', { random, person: stage.person });
  for (const object of tenant.given) await stage.person.create(object);
  await stage.converged(tenant.wanted(), patienceSeconds);
  say('all is there and at rest');

  const perform = inTurn();
  const struck: Struck[] = [];
  const points = killRounds(stems, pointsEach, random).flat();
  const killAt = (point: KillPoint): Promise<Struck> => {
    const next = () => (point.stem === 'resync-due' ? resyncOf(stage) : tenant.next(point.stem));
    return strike(point, { stage, next, perform });
  };
  for (const together of batches(points)) {
    for (const one of await Promise.all(together.map(killAt))) {
      struck.push(one);
      say(`${one.about}${one.starting > 0 ? '; and its successor while it started' : ''}`);
    }
  }
  const twice = { stem: 'message-changed', of: 'calls', nth: 1, side: 'before', manner: 'twice' } as const;
  for (let more = 0; struck.every(({ starting }) => starting === 0); more += 1) {
    assert.ok(more < mostTwice, `no kill met a process that was starting, in ${more} tries more`);
    struck.push(await killAt(twice));
  }
  const { functions } = await stage.mesh().ready;
  struck.push(await strikeEventLog(stage, `${functions['event-log'] ?? ''}/dead-lettered`));

  await stage.resync(tenant.wanted());
  const ms = await stage.converged(tenant.wanted(), patienceSeconds);
  await staysAtRest(stage, tenant.wanted());
  await until(
    'the mesh has seen every end',
    async () => countsOf(struck, stage).crashesSeen >= struck.length || countsOf(struck, stage),
    patienceSeconds,
  );
  const counts = countsOf(struck, stage);

  assert.equal(stage.mesh().isAlive(), true);
  assert.ok(
    struck.every(({ inFlight }) => inFlight > 0),
    'a kill that hit nothing',
  );
  assert.equal(new Set(struck.map(({ about }) => about.split(' ')[0])).size, stems.length + 1);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, `${what}: none`);
  say(
    `counted: ${counts.kills} kills at ${struck.length} points of ${stems.length + 1} functions: ${counts.inFlight} in the middle of a call (${counts.afterSigterm} told to leave before), ${counts.whileStarting} while it started; ${counts.eventsBrokenOff} events broken off; converged ${(ms / 1000).toFixed(1)} s after a resync, then two more wrote nothing; ${stage.helped} resyncs needed besides (SEED=${seed})`,
  );
});

/** Some at a time, each of another process: a kill ends every call of its own. */
function batches(points: readonly KillPoint[]): readonly (readonly KillPoint[])[] {
  const all: KillPoint[][] = [];
  for (const point of points) {
    const last = all.at(-1);
    const isFree = last?.every((one) => serviceOf(one.stem) !== serviceOf(point.stem)) === true;
    if (last !== undefined && isFree && last.length < atOnce) last.push(point);
    else all.push([point]);
  }
  return all;
}

/** Changes one after the other: two of the same object must not overtake each other. */
function inTurn(): (change: UserChange) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (change) => {
    last = last.then(change.do);
    return last;
  };
}

/** Not waited for: this Broker answers when everything has been looked at. */
function resyncOf(stage: Stage): UserChange {
  const work = async (): Promise<void> => {
    const { broker } = await stage.mesh().ready;
    const headers = {
      'ce-specversion': '1.0',
      'ce-type': 'dev.knudge.resync.due',
      'ce-id': `${Math.random()}`,
      'ce-source': '/test',
    };
    fetch(broker, { method: 'POST', headers }).catch(() => undefined);
  };
  return { wakes: 'resync-due', say: 'ask for a resync', do: work };
}

function countsOf(struck: readonly Struck[], stage: Stage) {
  const { hops } = stage.mesh();
  const sum = (of: (one: Struck) => number): number => struck.reduce((all, one) => all + of(one), 0);
  return {
    kills: sum(({ inFlight, starting }) => inFlight + starting),
    inFlight: sum(({ inFlight }) => inFlight),
    whileStarting: sum(({ starting }) => starting),
    afterSigterm: sum(({ told, inFlight }) => (told ? inFlight : 0)),
    crashesSeen: hops.filter(({ kind }) => kind === 'crashed').length,
    eventsBrokenOff: hops.filter(({ kind, status }) => kind === 'delivered' && status === 502).length,
  };
}
