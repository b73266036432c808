import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looked, resyncDue } from '../../functions/resync-due.ts';
import type { Received } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { arrange, range } from '../../packages/controller/test/resync/arrange.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import { parentKinds } from '../../resources/managed/kinds.ts';
import { recorded } from '../build/event.ts';

const ready: Received = decode(recorded('resync-due/adapter-ready'));
const since = Date.parse('2026-11-22T14:29:11Z');
const ignored = { result: 'ignored', reads: 0, writes: 0 };

/** This many seconds after the adapter became ready. */
function after(seconds: number, options = {}) {
  const world = arrange({ DistributedService: range(2), Message: range(3) }, options);
  world.at(since + seconds * 1000);
  return world;
}

test('a source that has started anew has a resync as soon as its watches stand', async () => {
  const world = after(1);
  const outcome = await resyncDue(ready, world.parts);
  assert.deepEqual(outcome, {
    result: 'done',
    reads: parentKinds.length + looked.length + 4,
    writes: 3,
    events: { sent: 5, failed: 0 },
  });
  assert.deepEqual(world.slept, [9000]);
  assert.deepEqual(world.lease.marks, { restart: { began: since + 10_000, by: ready.id } });
});

test('what tells of a restart that a resync has seen already costs one read', async () => {
  const world = after(12);
  world.lease.marks = { restart: { began: since + 6000, by: 'of the other source' } };
  assert.deepEqual(await resyncDue(ready, world.parts), { result: 'done', reads: 1, writes: 0 });
  assert.deepEqual([world.sent, world.slept], [[], []]);
});

test('an instance that finds another resync begun while it waited has none of its own', async () => {
  const world = after(1);
  world.whileWaiting(() => {
    world.lease.marks = { restart: { began: since + 9000, by: 'of another instance' } };
  });
  assert.deepEqual(await resyncDue(ready, world.parts), { result: 'done', reads: 2, writes: 0 });
});

test('of two that take it at once one has it', async () => {
  const world = after(10);
  const { restarts } = world.parts;
  let beaten = false;
  const read = async () => {
    const found = await restarts.read();
    return {
      ...found,
      take: async (by: string) => {
        if (!beaten) world.lease.marks = { restart: { began: since + 10_000, by: 'of another instance' } };
        beaten = true;
        await found.take(by);
      },
    };
  };
  const outcome = await resyncDue(ready, { ...world.parts, restarts: { read } });
  assert.deepEqual(outcome, { result: 'done', reads: 2, writes: 0 });
  assert.deepEqual(world.sent, []);
});

test('before a minute has passed it is answered that it is too early, and tried again it is not', async () => {
  const world = after(12);
  const began = since - 20_000;
  world.lease.marks = { restart: { began, by: 'before' } };
  await assert.rejects(
    resyncDue(ready, world.parts),
    (error) => error instanceof KnudgeError && error.code === 'too-early' && error.retryAfterSeconds === 28,
  );
  assert.deepEqual([world.sent, world.slept], [[], []]);
  world.at(began + 60_000);
  assert.equal((await resyncDue(ready, world.parts)).result, 'done');
  assert.equal(world.sent.length, 5);
});

test('an instance that died within its resync begins it again when the event comes again', async () => {
  const world = after(11);
  world.lease.marks = { restart: { began: since + 10_000, by: ready.id } };
  await resyncDue(ready, world.parts);
  assert.equal(world.sent.length, 5);
});

test('it waits no longer than it has time, and what is left of that is for the round', async () => {
  const world = after(1, { workSeconds: 10 });
  await assert.rejects(resyncDue(ready, world.parts), { code: 'too-early' });
  const many = arrange({ DistributedService: [], Message: range(60) }, { workSeconds: 10, sendMs: 1000 });
  many.at(since + 3000);
  const outcome = await resyncDue(ready, many.parts);
  assert.equal(outcome.reply?.type, 'dev.knudge.resync.due', 'the rest has an invocation of its own');
  assert.ok(many.sent.length >= 16 && many.sent.length < 60, `${many.sent.length} at the first`);
});

for (const [what, event] of [
  ['a Pod that is not ready', { ...ready, data: { status: { conditions: [] } } }],
  ['an event without data', { ...ready, data: undefined }],
  ['the Pod of somebody else', { ...ready, extensions: new Map() }],
] as const) {
  test(`${what} costs no read`, async () => {
    const world = after(20);
    assert.deepEqual(await resyncDue(event, world.parts), ignored);
    assert.deepEqual([world.sent, world.asked], [[], []]);
  });
}
