import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnTime } from './own-time.ts';

test('a moment counts in full, and of a stall no more than a late beat', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 1000;
  const { elapsed, stop } = createOwnTime(() => now);
  const pass = (ms: number): void => {
    now += ms;
    t.mock.timers.tick(20);
  };
  pass(20);
  pass(30);
  assert.equal(elapsed(), 50);
  pass(5000);
  assert.equal(elapsed(), 110);
  now += 10;
  assert.equal(elapsed(), 120);
  stop();
  pass(50);
  pass(50);
  assert.equal(elapsed(), 180, 'without beats all that passed is one');
});
