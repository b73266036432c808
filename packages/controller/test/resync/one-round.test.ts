import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resyncDue } from '../../../../functions/resync-due.ts';
import { recorded } from '../../../../test/build/event.ts';
import type { Outgoing, Received } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { lostMs } from '../../domain/rounds.ts';
import { decode } from '../../wire/decode.ts';
import { arrange, namesIn, range } from './arrange.ts';

const ping: Received = decode(recorded('resync-due/pingsource-through-broker'));
const tick = (id: string): Received => ({ ...ping, id });
const due = (data: unknown): Received => ({ ...ping, type: 'dev.knudge.resync.due', id: 'due', data });
const asEvent = ({ type, id, data }: Outgoing): Received => ({ ...ping, type, id, data });

/** A round that takes some invocations, of which the first is over. */
async function underWay() {
  const world = arrange({ DistributedService: [], Message: range(60) }, { sendMs: 1000, workSeconds: 10 });
  const { reply } = await resyncDue(tick('first'), world.parts);
  assert.ok(reply);
  return { ...world, next: asEvent(reply) };
}

/** Hands each answer in again until there is none. */
async function through(asked: Received, { parts }: Pick<ReturnType<typeof arrange>, 'parts'>): Promise<void> {
  const { reply } = await resyncDue(asked, parts);
  if (reply !== undefined) await through(asEvent(reply), { parts });
}

const forged = { round: 'zz', step: 1, kind: 'DistributedService', token: '', after: '', restarts: 0 };

describe('a round of the resync has one owner', () => {
  it('thirty ticks at once are one round', async () => {
    const world = arrange({ DistributedService: range(2), Message: range(8) });
    const ticks = Array.from({ length: 30 }, (_, index) => resyncDue(tick(`forged-${index}`), world.parts));
    const results = (await Promise.all(ticks)).map(({ result }) => result);
    assert.equal(results.filter((result) => result === 'done').length, 1);
    assert.equal(world.sent.length, 10);
  });

  it('a tick while a round is under way costs one read, and the round goes on', async () => {
    const world = await underWay();
    const before = world.sent.length;
    assert.deepEqual(await resyncDue(tick('second'), world.parts), { result: 'ignored', reads: 1, writes: 0 });
    assert.deepEqual(world.warnings, ['resync: a round is under way']);
    assert.equal(world.sent.length, before);
    await through(world.next, world);
    assert.deepEqual(namesIn(world.sent, 'Message').sort(), range(60));
    assert.equal(world.kept.length, 1);
    assert.equal((await resyncDue(tick('third'), world.parts)).result, 'done', 'when it is through');
  });

  it('one whose owner has died is taken over by the next tick after half a minute, not before', async () => {
    const world = await underWay();
    const { seen } = world.lease.marks.round ?? { seen: 0 };
    world.at(seen + lostMs - 1);
    assert.equal((await resyncDue(tick('second'), world.parts)).result, 'ignored');
    world.at(seen + lostMs);
    const { reply } = await resyncDue(tick('second'), world.parts);
    assert.ok(reply);
    assert.equal((await resyncDue(world.next, world.parts)).result, 'ignored', 'the elder is over');
    await through(asEvent(reply), world);
    assert.deepEqual([...new Set(namesIn(world.sent, 'Message'))].sort(), range(60));
  });

  it('a step whose process died is begun anew when its event comes again: once, and then when nobody can be at it', async () => {
    const world = await underWay();
    const page = () => Promise.reject(new KnudgeError('unavailable', 'away'));
    const dying = { ...world.parts, pager: { page } };
    for (const _ of [1, 2]) await assert.rejects(resyncDue(world.next, dying), { code: 'unavailable' });
    assert.equal((await resyncDue(world.next, world.parts)).result, 'ignored');
    world.at((world.lease.marks.round?.seen ?? 0) + lostMs);
    await through(world.next, world);
    assert.deepEqual(namesIn(world.sent, 'Message').sort(), range(60));
  });

  it('a tick whose process died is taken once more', async () => {
    const world = arrange({ DistributedService: ['web'], Message: [] });
    const page = () => Promise.reject(new KnudgeError('unavailable', 'away'));
    await assert.rejects(resyncDue(tick('first'), { ...world.parts, pager: { page } }), { code: 'unavailable' });
    await resyncDue(tick('first'), world.parts);
    assert.deepEqual([world.sent.length, world.kept.length], [1, 1]);
  });

  it('of two who are at one step the one that began last goes on', async () => {
    const world = await underWay();
    const [one, two] = await Promise.all([resyncDue(world.next, world.parts), resyncDue(world.next, world.parts)]);
    const replies = [one.reply, two.reply].flatMap((reply) => (reply === undefined ? [] : [asEvent(reply)]));
    const results = await Promise.all(replies.map(async (next) => (await resyncDue(next, world.parts)).result));
    assert.deepEqual(results, results.length === 1 ? ['done'] : ['ignored', 'done']);
  });

  it('where the Lease cannot be asked it goes on without, and is whole for nobody', async () => {
    const world = arrange({ DistributedService: ['web'], Message: [] });
    const read = () => Promise.reject(new KnudgeError('not-permitted', 'no'));
    const outcome = await resyncDue(tick('first'), { ...world.parts, rounds: { ...world.parts.rounds, read } });
    assert.deepEqual([outcome.result, world.sent.length, world.kept], ['done', 1, []]);
    assert.deepEqual(world.warnings, ['resync: the round could not be kept']);
  });
});

describe('what an event says of a round is not believed', () => {
  for (const [what, data] of [
    ['a time of its own', { ...forged, began: '2099-01-01T00:00:00Z' }],
    ['a key that it has guessed', { ...forged, key: 'key-1' }],
    ['no step', { ...forged, step: 0 }],
  ] as const) {
    it(`a continuation of no round, with ${what}, costs one read and writes nothing`, async () => {
      const world = arrange({ DistributedService: ['web'], Message: ['hello'] });
      assert.deepEqual(await resyncDue(due(data), world.parts), { result: 'ignored', reads: 1, writes: 0 });
      assert.deepEqual([world.sent, world.kept, world.asked, world.lease.marks], [[], [], [], {}]);
      assert.deepEqual(world.warnings, ['resync: of no round']);
    });
  }

  it('a continuation of the round that is under way is dropped without its key, and at another step', async () => {
    const world = await underWay();
    const at = Object(world.next.data) as typeof forged;
    for (const data of [
      { ...at, key: 'guessed' },
      { ...at, key: undefined },
      { ...at, step: 7 },
    ]) {
      assert.deepEqual(await resyncDue(due(data), world.parts), { result: 'ignored', reads: 1, writes: 0 });
    }
    await through(world.next, world);
    assert.equal((await resyncDue(world.next, world.parts)).result, 'ignored', 'nor once it is through');
    assert.deepEqual(world.kept, ['1970-01-01T00:00:00Z'], 'when it began, by the Lease');
  });
});
