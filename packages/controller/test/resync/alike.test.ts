import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cursor } from '../../resync/cursor.ts';
import { announceParents } from '../../resync/page.ts';
import { arrange, begin, range } from './arrange.ts';

/** A kind of one name in two groups, which is a kind of children as well. */
const alike = {
  kinds: [
    { apiVersion: 'frp.io/v1beta1', kind: 'Message' },
    { apiVersion: 'myorg.dev/v1', kind: 'Message' },
  ],
  childKinds: [{ apiVersion: 'myorg.dev/v1', kind: 'Message', labelSelector: 'ours' }],
};

for (const round of range(12)) {
  test(`kinds of one name have one turn each in the round ${round}, however many steps it takes`, async () => {
    const world = arrange({ Message: range(150) }, { sendMs: 1000, workSeconds: 30 });
    // An earlier version began it.
    let cursor: Cursor | undefined = { ...begin, round, kind: 'Message' };
    for (let step = 0; cursor !== undefined; step += 1) {
      assert.ok(step < 40, 'the round has no end');
      cursor = (await announceParents(cursor, { ...world.parts, ...alike })).next;
    }
    const idsOf = (apiVersion: string) =>
      world.sent
        .filter(({ extensions }) => extensions['apiversion'] === apiVersion)
        .map(({ extensions }) => extensions['name']);
    for (const { apiVersion } of alike.kinds) assert.deepEqual(idsOf(apiVersion).sort(), range(150));
    assert.equal(
      world.asked.some(({ labelSelector }) => labelSelector === 'ours'),
      true,
    );
  });
}
