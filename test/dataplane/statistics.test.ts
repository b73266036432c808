import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binomialRange, countsOf, powerAgainst, repeats } from './statistics.ts';

describe('the statistics of the traffic tests', () => {
  it('gives the range of a fair coin as anybody can count it', () => {
    // Of ten tosses, 0 or 10 heads come up once in 512, at most 1 or at least 9 22 times in 1024.
    assert.deepEqual(binomialRange({ tries: 10, probability: 0.5 }, 2 / 1024), { least: 1, most: 9 });
    assert.deepEqual(binomialRange({ tries: 10, probability: 0.5 }, 1.9 / 1024), { least: 0, most: 10 });
    assert.deepEqual(binomialRange({ tries: 10, probability: 0.5 }, 22.001 / 1024), { least: 2, most: 8 });
  });

  it('leaves no more than it says outside of the range, and almost as much', () => {
    const chance = { tries: 600, probability: 1 / 3 };
    const range = binomialRange(chance, 1e-6);
    const outside = powerAgainst(range, chance);
    assert.ok(outside <= 1e-6 && outside > 0.5e-6, String(outside));
    assert.ok(powerAgainst({ least: range.least + 1, most: range.most - 1 }, chance) > 1e-6);
  });

  it('counts', () => {
    assert.equal(repeats(['a', 'a', 'b', 'a', 'a', 'a']), 3);
    assert.deepEqual(countsOf(['a', 'b', 'c'], ['b', 'a', 'b']), [1, 2, 0]);
  });
});
