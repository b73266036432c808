import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stems } from '../../build/stems.ts';
import { seeded } from '../input/random.ts';
import { killRounds } from './kill-points.ts';

const seeds = [1, 2, 3, 4, 5];

test('the same seed gives the same points', () => {
  assert.deepEqual(killRounds(stems, 4, seeded(1)), killRounds(stems, 4, seeded(1)));
  assert.notDeepEqual(killRounds(stems, 4, seeded(1)), killRounds(stems, 4, seeded(2)));
});

for (const seed of seeds) {
  test(`with seed ${seed} every round kills each function once, and all manners are there`, () => {
    const rounds = killRounds(stems, 4, seeded(seed));
    for (const round of rounds) assert.deepEqual(round.map(({ stem }) => stem).sort(), [...stems].sort());
    const points = rounds.flat();
    assert.deepEqual([...new Set(points.map(({ manner }) => manner))].sort(), ['kill', 'term', 'twice']);
    assert.deepEqual([...new Set(points.map(({ side }) => side))].sort(), ['after', 'before']);
    assert.ok(points.every(({ nth }) => nth >= 1));
  });
}

test('the resync is not waited for where it would write: it only reads', () => {
  const points = seeds.flatMap((seed) => killRounds(['resync-due'], 4, seeded(seed)).flat());
  assert.deepEqual(new Set(points.map(({ of }) => of)), new Set(['calls']));
});
