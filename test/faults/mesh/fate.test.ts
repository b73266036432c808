import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fateOf } from './fate.ts';

const shares = { lost: 0.3, doubled: 0.3, late: 0.3 };
const many = Array.from({ length: 5000 }, (_, nth) =>
  fateOf(1, { about: `Pod ${nth % 50}`, nth: Math.floor(nth / 50) }, shares),
);
const shareOf = (count: number, of: number): number => Math.round((count / of) * 100);
const kept = many.filter(({ copies }) => copies.length > 0);

const rows = [
  { name: 'three in ten are lost', share: shareOf(many.length - kept.length, many.length) },
  {
    name: 'three in ten of the others come twice',
    share: shareOf(kept.filter(({ copies }) => copies.length === 2).length, kept.length),
  },
  {
    name: 'three in ten of the others are late',
    share: shareOf(kept.filter(({ copies: [first] }) => first !== 0).length, kept.length),
  },
];

for (const { name, share } of rows) {
  test(name, () => assert.ok(share >= 27 && share <= 33, `${share} %`));
}

test('the same event has the same fate with the same seed, and with another seed others are lost', () => {
  const lostWith = (seed: number): readonly number[] =>
    many.flatMap((_, nth) => (fateOf(seed, { about: 'Pod a', nth }, shares).copies.length === 0 ? [nth] : []));
  assert.deepEqual(lostWith(1), lostWith(1));
  assert.notDeepEqual(lostWith(1), lostWith(2));
});

test('without faults each comes once and at once', () => {
  assert.deepEqual(fateOf(1, { about: 'Pod a', nth: 1 }, { lost: 0, doubled: 0, late: 0 }), { copies: [0] });
});
