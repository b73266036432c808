import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from '../../../packages/controller/domain/kube-object.ts';
import { until } from '../../kube/until.ts';
import { wrongsOf } from '../mesh/at-rest.ts';
import { faultShare } from '../share.ts';
import { splitOf, type WaitsForTime } from './soak-at-rest.ts';
import type { Seen } from './soak-proxy.ts';
import { openSoakScene, type Scene } from './soak-scene.ts';
import { brokerAway, longTroubles, troubles } from './soak-troubles.ts';

const seed = Number(process.env['SEED'] ?? 20261122);
const minutes = Number(process.env['SOAK_MINUTES'] ?? 5);
/** For this many the Broker is away in the first round; 0: it is not. */
const awayMinutes = Number(process.env['SOAK_AWAY_MINUTES'] ?? 0);
const isLong = minutes >= 30;
const every = [...(awayMinutes > 0 ? [brokerAway(awayMinutes)] : []), ...troubles, ...(isLong ? longTroubles : [])];
const all = faultShare.of(every);
/** The edits take this part of each minute; then nobody edits, and all must come right before the next minute begins. */
const editMs = 48_000;
const editsEachSecond = 8;
const atLeast = { editsEachSecond: 4, killsEachRound: 3 } as const;
/** This many of some forty parents at most wait for a time when the edits have ended: seven is usual, however long it lasts. */
const mostWaiting = 15;
/** What a resync does for a Message whose next Pod waits for a time. */
const nextPod = /found it: (?:(?:(?:create|delete) Pod|status Message) [^ ,]+(?:, |$))+$/;
/** Node's own limit for a test is that of the suite, unless a test says its own. */
const timeout = (minutes + awayMinutes + 15) * 60_000;

interface Tally {
  edits: number;
  editMs: number;
  late: number;
  waiting: readonly WaitsForTime[];
}

test(`a source that loses nothing is killed again and again for ${minutes} minutes: all is right without a resync (SEED=${seed})`, {
  timeout,
}, async (context) => {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const say = (text: string): void => context.diagnostic(`${seconds().toFixed(1)} s: ${text} (SEED=${seed})`);
  const scene = await openSoakScene(context, seed);
  await scene.atRest();
  assert.deepEqual(await scene.repairs(), [], 'a resync has been at work before it is asked for');
  say(`${scene.wanted().parents.length} parents are there and right`);

  const tally: Tally = { edits: 0, editMs: 0, late: 0, waiting: [] };
  const start = performance.now();
  // Each trouble once at least, however slow this machine is.
  const isOver = (round: number) => round >= all.length && performance.now() - start >= minutes * 60_000;
  let rounds = 0;
  for (; !isOver(rounds); rounds += 1) say(await oneRound(scene, rounds, tally));
  const soakMs = performance.now() - start;
  const { waiting } = tally;
  for (const { name, why } of waiting) say(`${name} waits for a time: ${why}`);

  await scene.resync();
  await nothingWrong(scene);
  const waited = new Set(waiting.map(({ name }) => name));
  const repairs = await scene.repairs();
  const found = repairs.filter(({ parent }) => !waited.has(parent));
  say(`the resync found ${found.length}, and of those that waited for a time ${repairs.length - found.length}`);
  const others = repairs.filter(({ parent }) => waited.has(parent));
  for (const { parent, text } of repairs) say(`${parent}: ${text}`);
  const odd = others.filter(({ parent, text }) => parent.startsWith('Message ') && !nextPod.test(text));

  const afterLoss = await loseOne(scene);
  const { source, proxy, api } = scene;
  say(`the source said ${source.said()}; ${scene.stage.mesh().hops.length} hops`);
  const { told, doubled, refused } = proxy.counts;
  const each = (ms: number): string => (tally.edits / (ms / 1000)).toFixed(1);
  context.diagnostic(
    `counted: ${(soakMs / 60_000).toFixed(1)} minutes, ${all.length} of ${every.length} troubles, ${tally.edits} edits (${each(soakMs)}/s, ${each(tally.editMs)}/s while there were any), ${source.counts.kills} kills of the source (${source.counts.beforeItWatched} before it watched), ${told} events told, ${doubled} of them doubled, ${refused} tries refused, ${api.counts.expired} versions that the API server had forgotten, ${scene.givenUp()} given up by the Broker, ${tally.late} things that could only be made later, ${waiting.length} parents waited for a time; the resync found ${found.length}, after one seeded loss ${afterLoss} (SEED=${seed})`,
  );
  assert.deepEqual(found, []);
  assert.deepEqual(odd, [], 'of a parent that waited for a time the resync found something else too');
  assert.equal(afterLoss, 1);
  assert.ok(waiting.length <= mostWaiting, `${waiting.length} parents wait for a time`);
  assert.ok(tally.edits / (soakMs / 1000) >= atLeast.editsEachSecond, `${each(soakMs)} edits a second`);
  assert.ok(source.counts.kills >= atLeast.killsEachRound * rounds, `${source.counts.kills} kills in ${rounds} rounds`);
  assert.ok(!isLong || api.counts.expired > 0, 'the API server never said that a version has expired');
  assert.ok(source.counts.kills > source.counts.beforeItWatched, 'it was never killed while it watched');
});

/** Edits under the trouble of this round, then waits until all is right; says what it was. */
async function oneRound(scene: Scene, round: number, tally: Tally): Promise<string> {
  const { say, make } = all[round % all.length] ?? assert.fail('there is no trouble');
  const [began, before] = [performance.now(), { edits: tally.edits, kills: scene.source.counts.kills }];
  let isOver = false;
  const trouble = make(editMs, scene).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const due = began + ((tally.edits - before.edits) * 1000) / editsEachSecond;
    await sleep(Math.max(0, due - performance.now()));
    await scene.tenant.next().do();
    tally.edits += 1;
  }
  await trouble;
  const edited = performance.now();
  tally.editMs += edited - began;
  await scene.source.start();
  tally.late += await scene.catchUp();
  tally.waiting = (await scene.atRest()).waiting;
  const restSeconds = ((performance.now() - edited) / 1000).toFixed(1);
  return `round ${round + 1}, ${say}: ${tally.edits - before.edits} edits, ${scene.source.counts.kills - before.kills} kills, right ${restSeconds} s after them, ${tally.waiting.length} wait for a time`;
}

/** After a resync nothing waits for a time either. */
async function nothingWrong({ stage, wanted, quiet }: Scene): Promise<void> {
  await quiet();
  const look = async () => {
    const wrongs = await wrongsOf(stage.reader(), wanted());
    return wrongs.length === 0 || wrongs;
  };
  await until('all is right after the resync', look, 60);
  await quiet();
}

/** Keeps one event from the Broker: nothing but a resync may put that right. Gives how many repairs it says that it has made. */
async function loseOne(scene: Scene): Promise<number> {
  const { proxy, spared, stage } = scene;
  const before = await scene.repairs();
  const text = `the text of which nobody tells ${seed}`;
  proxy.swallow(({ headers, body }: Seen) => {
    const isAbout = headers['ce-kind'] === 'Message' && headers['ce-name'] === spared.name;
    return isAbout && String(headers['ce-type']).endsWith('.update') && body.includes(text);
  });
  await scene.rewrite(text);
  await until('the event is swallowed', async () => proxy.counts.swallowed === 1);
  await scene.quiet();
  const { wrongs } = await splitOf(stage.reader(), scene.wanted());
  assert.ok(wrongs.length > 0, 'the event that was lost did not matter');
  assert.deepEqual(
    wrongs.filter((wrong) => !wrong.includes(spared.name)),
    [],
  );
  await scene.resync();
  await nothingWrong(scene);
  const after = await scene.repairs();
  const about = after.filter(({ parent }) => parent === describe(spared));
  assert.equal(about.length, after.length - before.length, 'the resync has found something else too');
  return about.length;
}
