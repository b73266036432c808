import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cursor } from '../../resync/cursor.ts';
import { announceParents } from '../../resync/page.ts';
import { arrange, begin, namesIn, range } from './arrange.ts';

const rounds = Array.from({ length: 64 }, (_, index) => `round-${index}`);
const none = { DistributedService: [] };
const at = (round: string): Cursor => ({ ...begin, round, kind: 'Message' });

/** A whole round, invocation after invocation; gives the names in the order of their turns. */
async function wholeRound(world: ReturnType<typeof arrange>, from: Cursor): Promise<readonly string[]> {
  let cursor: Cursor | undefined = from;
  for (let step = 0; cursor !== undefined; step += 1) {
    assert.ok(step < 300, 'the round does not end');
    cursor = (await announceParents(cursor, world.parts)).next;
  }
  return namesIn(world.sent, 'Message');
}

for (const count of [0, 1, 99, 100, 101, 150, 200, 777, 1300]) {
  test(`of ${count} objects each has one turn in each round, for few reads more than there are pages`, async () => {
    for (const round of rounds) {
      const world = arrange({ ...none, Message: range(count) });
      assert.deepEqual([...(await wholeRound(world, at(round)))].sort(), range(count), round);
      const pages = Math.max(1, Math.ceil(count / 100));
      const most = pages + (pages > 1 ? 2 + Math.ceil(count / 500) : 0);
      const reads = world.asked.filter(({ kind }) => kind === 'Message').length;
      assert.ok(reads <= most, `${reads} reads of ${count} objects in ${round}`);
    }
  });
}

for (const [deadly, count] of [
  [7, 250],
  [99, 250],
  [100, 101],
  [0, 1300],
] as const) {
  test(`whatever dies at object ${deadly} of ${count}, the others have their turn in some round`, async () => {
    const reached = new Set<string>();
    for (let round = 0; reached.size < count - 1; round += 1) {
      assert.ok(round < 400, `${count - 1 - reached.size} have not had their turn in ${round} rounds`);
      const order = await wholeRound(arrange({ ...none, Message: range(count) }), at(`tick ${round}`));
      for (const name of order.slice(0, order.indexOf(range(count)[deadly] ?? ''))) reached.add(name);
    }
  });
}

test('an invocation that ends anywhere, on the way too, is gone on from, and nobody has two turns', async () => {
  for (const round of rounds.slice(0, 16)) {
    const world = arrange({ ...none, Message: range(650) }, { sendMs: 1000, workSeconds: 20 });
    const { page } = world.parts.pager;
    let clock = 0;
    const slow = { ...world.parts, now: () => world.parts.now() + clock };
    const pager = { page: (...given: Parameters<typeof page>) => page(...given).finally(() => (clock += 21_000)) };
    const names = await wholeRound({ ...world, parts: { ...slow, pager } }, at(round));
    assert.deepEqual([...names].sort(), range(650), round);
  }
});

test('a list that becomes shorter while it is passed over is gone through as a whole', async () => {
  let ways = 0;
  for (const round of rounds) {
    const names = range(900);
    const world = arrange({ ...none, Message: names });
    const { page } = world.parts.pager;
    const shrink = async (...given: Parameters<typeof page>) => {
      const answer = await page(...given);
      names.splice(150);
      return answer;
    };
    const order = await wholeRound({ ...world, parts: { ...world.parts, pager: { page: shrink } } }, at(round));
    ways += world.asked.some(({ limit }) => limit > 100) ? 1 : 0;
    const first = range(150).filter((name) => !order.includes(name));
    assert.deepEqual(first, [], round);
  }
  assert.ok(ways > 10, 'no round was on its way');
});

test('an API server that does not say how much comes after a page is gone through all the same', async () => {
  for (const round of rounds) {
    const world = arrange({ ...none, Message: range(350) });
    const { page } = world.parts.pager;
    const silent = async (...given: Parameters<typeof page>) => ({ ...(await page(...given)), remaining: 0 });
    const order = await wholeRound({ ...world, parts: { ...world.parts, pager: { page: silent } } }, at(round));
    assert.deepEqual([...order].sort(), range(350), round);
  }
});

test('a page of the head that has expired begins the head again, and not what had its turn before', async () => {
  const ring = { part: 'head', edge: 'shop/m0249' } as const;
  const world = arrange({ ...none, Message: range(600) });
  world.expire.push('0@100');
  const order = await wholeRound(world, { ...at('r'), ring });
  assert.deepEqual([...new Set(order)].sort(), range(250));
  assert.equal(order.length, 100 + 250);
});
