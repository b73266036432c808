import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnudgeError } from '../../domain/errors.ts';
import { keepPatience } from '../../react/patience.ts';

const tooMuch = new KnudgeError('throttled', 'too much', { retryAfterSeconds: 60, counts: { reads: 50, writes: 3 } });

/** What is done for a key, and how often it was. */
function scene() {
  let now = 0;
  let runs = 0;
  const patiently = keepPatience(() => now);
  return {
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    runs: () => runs,
    ask: (key: string, { fails = tooMuch, isSpent = true } = {}) =>
      patiently(key, {
        isSpent: () => isSpent,
        run: async () => {
          runs += 1;
          throw fails;
        },
      }),
  };
}

describe('who asked for too much', () => {
  it('is told the same for as long as was said, at no cost, and is heard again then', async () => {
    const { ask, wait, runs } = scene();
    await assert.rejects(ask('web'), { code: 'throttled', retryAfterSeconds: 60 });
    wait(10);
    const again = { code: 'throttled', message: 'too much', retryAfterSeconds: 50, counts: undefined };
    await assert.rejects(ask('web'), again);
    assert.equal(runs(), 1);
    wait(50);
    await assert.rejects(ask('web'), { retryAfterSeconds: 60 });
    assert.equal(runs(), 2);
  });

  it('is in nobody else’s way', async () => {
    const { ask, runs } = scene();
    await assert.rejects(ask('web'));
    await assert.rejects(ask('other'));
    assert.equal(runs(), 2);
  });

  it('is not who failed otherwise, be it because the API server asked for patience', async () => {
    const { ask, runs } = scene();
    for (const _ of [1, 2]) await assert.rejects(ask('web', { isSpent: false }), { code: 'throttled' });
    assert.equal(runs(), 2);
  });

  it('is forgotten, the oldest first, where there are more than a thousand', async () => {
    const { ask, runs } = scene();
    for (let at = 0; at <= 1000; at += 1) await assert.rejects(ask(`s${at}`));
    await assert.rejects(ask('s1'));
    assert.equal(runs(), 1001);
    await assert.rejects(ask('s0'));
    assert.equal(runs(), 1002);
  });
});
