import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import { fateOf, type Shares } from '../mesh/fate.ts';
import { emptyCluster } from '../sim/prepare.ts';
import { openCrowd } from './crowd.ts';
import { inWorld, type World } from './world.ts';

const seed = Number(process.env['SEED'] ?? 20261121);
/** Of them six are the tenant's own. */
const parents = Number(process.env['PARENTS'] ?? 500);
const messages = Math.floor(parents * 0.8);
const counts = { messages, services: parents - messages - 6 };
const edits = Number(process.env['EDITS'] ?? 200);
/** In which one is made after the other, before anybody reacts. */
const burst = 10;

/** What becomes of the events of the sources, and what happened to them. */
interface Way {
  isSpoilt: boolean;
  readonly counts: { events: number; lost: number; doubled: number; late: number };
  fate(event: CloudEvent): readonly CloudEvent[];
  world: World | undefined;
}

/** Each event has a fate of its own: lost, twice, and late by up to 40 seconds, so that it comes out of turn. */
function lossyWay(shares: Shares): Way {
  const seen = new Map<string, number>();
  let isThrough = false;
  const way: Way = {
    isSpoilt: false,
    counts: { events: 0, lost: 0, doubled: 0, late: 0 },
    world: undefined,
    fate: (event) => {
      if (!way.isSpoilt || isThrough || !isOfSource(event)) return [event];
      const { copies } = fateOf(seed, nextOf(event, seen), shares);
      way.counts.events += 1;
      if (copies.length === 0) way.counts.lost += 1;
      if (copies.length > 1) way.counts.doubled += 1;
      if (copies.some((ms) => ms > 0)) way.counts.late += 1;
      for (const ms of copies) {
        way.world?.simulation.clock.after(ms * 100, () => {
          isThrough = true;
          way.world?.simulation.send(event);
          isThrough = false;
        });
      }
      return [];
    },
  };
  return way;
}

function isOfSource({ attributes }: CloudEvent): boolean {
  return attributes['type']?.startsWith('dev.knative.apiserver') === true;
}

function nextOf({ attributes }: CloudEvent, seen: Map<string, number>): { about: string; nth: number } {
  const about = ['type', 'kind', 'namespace', 'name'].map((name) => attributes[name] ?? '').join(' ');
  const nth = (seen.get(about) ?? 0) + 1;
  seen.set(about, nth);
  return { about, nth };
}

/** The adapter dies each second and is back 400 ms later: what happens meanwhile it never reports. */
function dyingSource(): Way {
  const way: Way = {
    isSpoilt: false,
    counts: { events: 0, lost: 0, doubled: 0, late: 0 },
    world: undefined,
    fate: (event) => {
      if (!way.isSpoilt || !isOfSource(event)) return [event];
      const isAway = (way.world?.simulation.clock.elapsed() ?? 0) % 1000 < 400;
      way.counts.events += 1;
      way.counts.lost += isAway ? 1 : 0;
      return isAway ? [] : [event];
    },
  };
  return way;
}

/** The cluster with all of them, at rest. */
let settled: Promise<Snapshot> | undefined;

async function settle(): Promise<Snapshot> {
  let snapshot: Snapshot | undefined;
  // A chance of its own: uids must not come again in what is begun from here.
  await inWorld({ from: await emptyCluster(), seed: 7 }, async (world) => {
    const { tenant } = openCrowd(world, seed, counts);
    for (const [at, object] of tenant.given.filter(({ kind }) => kind !== 'Namespace').entries()) {
      await world.user.create(object);
      if (at % burst === 0) await world.settle();
    }
    await world.settle();
    snapshot = world.simulation.cluster.snapshot();
  });
  assert.ok(snapshot);
  return snapshot;
}

async function editAndLook(context: TestContext, way: Way, { apart }: { readonly apart: number }): Promise<void> {
  const began = performance.now();
  const say = (text: string): void =>
    context.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text} (SEED=${seed})`);
  settled ??= settle();
  await inWorld({ from: await settled, fate: way.fate, coalesce: false }, async (world) => {
    way.world = world;
    const crowd = openCrowd(world, seed, counts);
    assert.deepEqual(await crowd.wrongs(), []);
    say(`${crowd.size} parents are there and right`);
    way.isSpoilt = true;
    for (let edit = 1; edit <= edits; edit += 1) {
      await crowd.tenant.next().do();
      world.simulation.clock.pass(apart);
      if (edit % burst === 0) await world.settle();
      await crowd.catchUp();
    }
    await world.settle();
    way.isSpoilt = false;
    const before = (await crowd.wrongs()).length;
    await world.resync();
    // What could not be made before its namesake had gone: the event of that comes.
    await crowd.catchUp();
    await world.settle();
    assert.equal(await crowd.catchUp(), 0);
    assert.deepEqual(await crowd.wrongs(), []);
    // Takes away the Claims of what was let go, which were kept a minute.
    await world.resync();
    const writes = world.writes().length;
    await world.resync();
    assert.deepEqual(world.writes().slice(writes), []);
    const { events, lost, doubled, late } = way.counts;
    say(
      `counted: ${edits} edits of ${crowd.size} parents, ${events} events, ${lost} lost, ${doubled} doubled, ${late} late; ${before} wrongs before the resync, none after it, and the next wrote nothing`,
    );
    assert.ok(before > 0 && lost > 0, 'nothing was lost that mattered');
  });
}

test(`of ten events three are lost, three doubled and all late: one resync makes all right (SEED=${seed})`, (context) =>
  editAndLook(context, lossyWay({ lost: 0.3, doubled: 0.3, late: 1 }), { apart: 0 }));

test(`all events are lost: one resync makes all right (SEED=${seed})`, (context) =>
  editAndLook(context, lossyWay({ lost: 1, doubled: 0, late: 0 }), { apart: 0 }));

test(`the source is killed each second during ${edits} changes: one resync makes all right (SEED=${seed})`, (context) =>
  editAndLook(context, dyingSource(), { apart: 130 }));
