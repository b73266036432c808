import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeTurns } from '../http/turns.ts';

/** Keeps the process busy, as the work of an API server does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Milliseconds until this many works of the flow are done. */
async function timeOf(turns: ReturnType<typeof takeTurns>, flow: string, works: number): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: works }, () => turns(flow, () => work(5))));
  return performance.now() - began;
}

describe('turns', () => {
  it('are taken by flows, and within a flow in order', async () => {
    const turns = takeTurns();
    const begun: string[] = [];
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    await Promise.all(names.map((name) => turns(name.charAt(0), () => begun.push(name))));
    assert.deepEqual(begun.slice(0, 3), ['a1', 'b1', 'c1']);
    for (const flow of ['a', 'b']) {
      const own = names.filter((name) => name.startsWith(flow));
      assert.deepEqual(
        begun.filter((name) => name.startsWith(flow)),
        own,
      );
    }
  });

  it('come to whoever is new before the rest of a flood', async () => {
    const turns = takeTurns();
    let before = 0;
    const flood = Array.from({ length: 200 }, () => turns('loud', () => (before += 1)));
    await flood[99];
    const at = await turns('calm', () => before);
    assert.ok(at < 105, String(at));
    await Promise.all(flood);
    assert.equal(before, 200);
  });

  it('are all of the time for one that is alone, and half of it for one with neighbours', async () => {
    const turns = takeTurns();
    const alone = await timeOf(turns, 'loud', 40);
    await turns('calm', () => undefined);
    const beside = await timeOf(turns, 'loud', 40);
    assert.ok(beside > 1.6 * alone, `${beside} ms beside another, ${alone} ms alone`);
  });

  it('give what a work gives, and go on where one fails', async () => {
    const turns = takeTurns();
    const failed = turns('a', () => {
      throw new Error('no');
    });
    const done = turns('a', () => 'yes');
    await assert.rejects(failed, /no/);
    assert.equal(await done, 'yes');
  });
});
