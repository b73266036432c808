import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { type After, shareDeadline, withDeadline } from '../../server/deadline.ts';

const { handlerDeadlineSeconds: usual, apiTimeoutSeconds } = readConfig({});

describe('work with a deadline', () => {
  it('that waits for nothing outside of the process gets no timer', async () => {
    const clock = byHand();
    const work = async (): Promise<string> => {
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      return 'done';
    };
    assert.equal(await withDeadline(work(), 3, clock.after), 'done');
    await assert.rejects(withDeadline(Promise.reject(new TypeError('wrong')), 3, clock.after), TypeError);
    await new Promise(setImmediate);
    assert.deepEqual(clock.begun, []);
  });
  it('that waits has one, which ends with the work', async () => {
    const clock = byHand();
    const { promise, resolve } = Promise.withResolvers<string>();
    const ended = withDeadline(promise, 3, clock.after);
    await new Promise(setImmediate);
    assert.deepEqual([clock.begun, clock.running()], [[3000], 1]);
    resolve('done');
    assert.equal(await ended, 'done');
    assert.equal(clock.running(), 0);
  });
  it('that waits longer is unavailable', async () => {
    const clock = byHand();
    const ended = assert.rejects(withDeadline(new Promise(() => undefined), 3, clock.after), {
      code: 'unavailable',
      message: 'not done within 3 s: the next try goes on from what is true then',
    });
    await new Promise(setImmediate);
    clock.run();
    await ended;
  });
});

/** Timers that a test lets go off. */
function byHand() {
  const begun: number[] = [];
  const tasks = new Set<() => void>();
  const after: After = (ms, task) => {
    begun.push(ms);
    tasks.add(task);
    return () => tasks.delete(task);
  };
  return { begun, after, running: () => tasks.size, run: () => tasks.forEach((task) => task()) };
}

describe('a function that sends events shares its deadline so that', () => {
  for (const seconds of [1, 3, 6, usual, 16, 17, 23, 25, 600]) {
    it(`of ${seconds} s there is time to work, and what began last ends in time`, () => {
      const { workSeconds, sendSeconds } = shareDeadline(seconds);
      assert.ok(workSeconds > 0 && sendSeconds > 0);
      assert.ok(workSeconds + sendSeconds < seconds);
    });
  }

  for (const seconds of [usual, 23]) {
    it(`of ${seconds} s a page that is asked for last comes in time`, () => {
      assert.ok(shareDeadline(seconds).workSeconds + apiTimeoutSeconds < seconds);
    });
  }

  it('there are never more than ten seconds kept back', () => {
    assert.deepEqual(shareDeadline(23), { workSeconds: 13, sendSeconds: 8 });
  });
});
