import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { shareDeadline } from '../../server/deadline.ts';

const { handlerDeadlineSeconds: usual, apiTimeoutSeconds } = readConfig({});

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
