import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../domain/errors.ts';
import type { Cursor } from '../../resync/cursor.ts';
import { announceParents, type Progress } from '../../resync/page.ts';
import { arrange, begin, namesIn, range } from './arrange.ts';

test('every object of every kind is announced once, kind after kind and page after page', async () => {
  const { parts, sent, asked } = arrange({ DistributedService: range(3), Message: range(250) });
  const progress = await announceParents(begin, parts);
  assert.deepEqual(progress, { pages: asked.length, sent: 253, failed: 0, isWhole: true });
  assert.deepEqual(namesIn(sent, 'DistributedService').sort(), range(3));
  assert.deepEqual(namesIn(sent, 'Message').sort(), range(250).sort());
  const kindsAsked = asked.map(({ kind }) => kind);
  assert.deepEqual(kindsAsked, [...kindsAsked].sort(), 'kind after kind');
  assert.ok(asked.every(({ metadataOnly, namespace }) => metadataOnly && namespace === ''));
});

test('an event names its object, and has the same id when the same tick comes twice', async () => {
  const first = arrange({ DistributedService: ['web'], Message: [] });
  const again = arrange({ DistributedService: ['web'], Message: [] });
  await announceParents(begin, first.parts);
  await announceParents(begin, again.parts);
  assert.deepEqual(first.sent, [
    {
      id: 'round-1/uid-web',
      type: 'dev.knudge.resync.requested',
      source: '/knudge/resync-due',
      time: '1970-01-01T00:00:00Z',
      extensions: { apiversion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name: 'web' },
    },
  ]);
  assert.deepEqual(again.sent, first.sent);
});

test('at most sixteen are under way at a time, and that many are', async () => {
  const { parts, most } = arrange({ DistributedService: [], Message: range(300) });
  await announceParents(begin, parts);
  assert.equal(most(), 16);
});

test('when the time is up the rest is left to the next invocation, to the object', async () => {
  // A send takes a second of the clock; 20 s are given.
  const world = arrange({ DistributedService: [], Message: range(250) }, { sendMs: 1000, workSeconds: 20 });
  const all: string[] = [];
  let cursor = begin;
  for (let step = 0; step < 30; step += 1) {
    const { next, sent } = await announceParents(cursor, world.parts);
    all.push(...namesIn(world.sent.splice(0), 'Message'));
    assert.ok(sent <= 36, `${sent} in one invocation`);
    if (next === undefined) break;
    assert.ok(sent >= 20, `${sent} in one invocation`);
    assert.equal(next.kind, 'Message');
    cursor = next;
  }
  assert.deepEqual(all.sort(), range(250).sort());
});

test('an object that is gone when its page is read again costs no other its turn', async () => {
  const { parts, sent } = arrange({ DistributedService: [], Message: ['a', 'b', 'd'] });
  await announceParents({ ...begin, kind: 'Message', after: 'shop/c' }, parts);
  assert.deepEqual(namesIn(sent, 'Message'), ['d'], 'a and b had theirs');
});

test('a token that has expired begins its kind again, from the first page', async () => {
  const world = arrange({ DistributedService: ['web'], Message: range(250) });
  world.expire.push('0@100');
  const { sent } = await announceParents({ ...begin, kind: 'Message', ring: { part: 'tail', edge: '' } }, world.parts);
  assert.equal(sent, 100 + 250);
  assert.deepEqual([...new Set(namesIn(world.sent, 'Message'))].sort(), range(250).sort());
  assert.deepEqual(world.warnings, ['resync: the list has expired']);
});

test('a kind that expires again and again is left to the next tick, and the others have their turn', async () => {
  const world = arrange({ DistributedService: range(150), Message: ['hello'] });
  world.expire.push('0@100', '1@100', '2@100', '3@100');
  const { next } = await announceParents(begin, world.parts);
  assert.equal(next, undefined);
  assert.deepEqual(namesIn(world.sent, 'Message'), ['hello']);
  assert.equal(world.warnings.length, 3);
});

test('an expired answer to a first page is a fault of the API server and is told', async () => {
  const world = arrange({ DistributedService: range(1), Message: [] });
  world.expire.push('');
  await assert.rejects(announceParents(begin, world.parts), { code: 'expired' });
});

test('an API server that is away is told as it is', async () => {
  const { parts } = arrange({ DistributedService: [], Message: [] });
  const page = () => Promise.reject(new KnudgeError('unavailable', 'away'));
  await assert.rejects(announceParents(begin, { ...parts, pager: { page } }), { code: 'unavailable' });
});

test('one that cannot be sent is counted and keeps no other from its turn', async () => {
  const world = arrange({ DistributedService: ['a', 'b', 'c'], Message: ['d'] });
  world.refuse.add('b');
  const progress = await announceParents(begin, world.parts);
  assert.deepEqual(progress, { pages: 2, sent: 3, failed: 1, isWhole: false });
  assert.deepEqual(world.warnings, ['resync: events could not be sent']);
});

test('where nothing at all can be sent the tick fails, so that it comes again', async () => {
  const world = arrange({ DistributedService: [], Message: ['a', 'b'] });
  for (const name of ['a', 'b']) world.refuse.add(name);
  await assert.rejects(announceParents(begin, world.parts), (error: unknown) => {
    return error instanceof KnudgeError && error.code === 'unavailable' && /no event at all/.test(error.message);
  });
});

test('a cluster without parents is done at once', async () => {
  const { parts } = arrange({ DistributedService: [], Message: [] });
  assert.deepEqual(await announceParents(begin, parts), { pages: 2, sent: 0, failed: 0, isWhole: true });
});

test('a kind that is not served is passed over, and the other has its turn', async () => {
  const { parts, sent, warnings } = arrange({ DistributedService: [], Message: ['hello'] });
  const page: typeof parts.pager.page = async (query, request) => {
    if (query.kind === 'DistributedService') throw new KnudgeError('kind-not-served', 'are the CRDs installed?');
    return parts.pager.page(query, request);
  };
  const progress = await announceParents(begin, { ...parts, pager: { page } });
  assert.deepEqual(progress, { pages: 2, sent: 1, failed: 0, isWhole: true });
  assert.deepEqual(namesIn(sent, 'Message'), ['hello']);
  assert.deepEqual(warnings, ['resync: the kind is not served']);
});

test('a list that takes all the time there is leaves enough for a batch, so that the round ends', async () => {
  const { parts, sent } = arrange({ DistributedService: range(40), Message: [] });
  let clock = 0;
  const page: typeof parts.pager.page = (query, request) => {
    clock += 60_000;
    return parts.pager.page(query, request);
  };
  const slow = { ...parts, pager: { page }, now: () => clock };
  const counts: number[] = [];
  let cursor: Cursor | undefined = begin;
  while (cursor !== undefined && counts.length < 10) {
    const progress: Progress = await announceParents(cursor, slow);
    counts.push(progress.sent);
    cursor = progress.next;
  }
  assert.deepEqual(counts, [16, 16, 8, 0]);
  assert.deepEqual(namesIn(sent, 'DistributedService').sort(), range(40));
});

const wholes: readonly [sentence: string, spoil: (world: ReturnType<typeof arrange>) => void, isWhole: boolean][] = [
  ['all of which has been asked after', () => undefined, true],
  ['whose list began anew', ({ expire }) => expire.push('0@100'), true],
  ['an event of which was not taken', ({ refuse }) => refuse.add('m0003'), false],
  ['a kind of which was given up', ({ expire }) => expire.push('0@100', '1@100', '2@100'), false],
];
for (const [sentence, spoil, isWhole] of wholes) {
  test(`a round ${sentence} is ${isWhole ? '' : 'not '}whole, also in its last invocation`, async () => {
    const world = arrange({ DistributedService: range(150), Message: ['hello'] }, { sendMs: 1000, workSeconds: 40 });
    spoil(world);
    let progress: Progress = { pages: 0, sent: 0, failed: 0, isWhole: false, next: begin };
    for (let step = 0; progress.next !== undefined && step < 50; step += 1) {
      assert.equal(progress.isWhole, false);
      progress = await announceParents(progress.next, world.parts);
    }
    assert.deepEqual([progress.next, progress.isWhole], [undefined, isWhole]);
  });
}

test('what moves up into a page between two invocations keeps its turn, and so does everything else', async () => {
  const names = range(130);
  const world = arrange({ DistributedService: names, Message: [] }, { sendMs: 1000, workSeconds: 10 });
  let cursor: Cursor | undefined = begin;
  for (let step = 0; cursor !== undefined && step < 30; step += 1) {
    cursor = (await announceParents(cursor, world.parts)).next;
    // Of the first page, so that the first of the second moves up into it.
    if (step < 4) names.splice(names.length >> 2, 2);
  }
  assert.equal(cursor, undefined);
  const sent = new Set(namesIn(world.sent, 'DistributedService'));
  assert.deepEqual(
    names.filter((name) => !sent.has(name)),
    [],
  );
});
