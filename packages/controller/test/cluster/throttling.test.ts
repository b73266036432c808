import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsOf } from '../../domain/retry-after.ts';
import { change, errorOf, failure, read, transportTo } from './build.ts';
import { serve } from './loopback.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

for (const [text, want] of [
  ['0', 0],
  ['2', 2],
  [' 7 ', 7],
  ['999999999999', 3600],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3],
  ['Thursday, 01-Jan-26 00:00:04 GMT', 4],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 3600],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['2026-01-01T00:00:09Z', undefined],
] as const) {
  test(`Retry-After ${JSON.stringify(text)} means ${want} seconds`, () => assert.equal(secondsOf(text, now), want));
}

interface Row {
  readonly name: string;
  /** The header of each 429; after them the answer is a success. */
  readonly headers: readonly (string | undefined)[];
  readonly waits: readonly number[];
  readonly want: 'answered' | { readonly retryAfterSeconds: number | undefined };
}

const date = 'Thu, 01 Jan 2026 00:00:01 GMT';
const rows: readonly Row[] = [
  { name: 'a second is waited', headers: ['1'], waits: [1000], want: 'answered' },
  { name: 'a date in a second is waited for', headers: [date], waits: [1000], want: 'answered' },
  { name: 'two seconds are over the budget', headers: ['2'], waits: [], want: { retryAfterSeconds: 2 } },
  { name: 'a huge time is over the budget', headers: ['99999999'], waits: [], want: { retryAfterSeconds: 3600 } },
  { name: 'nothing said means short waits', headers: [undefined, undefined], waits: [100, 200], want: 'answered' },
  { name: 'garbage means short waits', headers: ['soon', '-1'], waits: [100, 200], want: 'answered' },
  { name: 'zero does not mean a storm', headers: ['0', '0', '0'], waits: [100, 200, 400], want: 'answered' },
  {
    name: 'short waits end with the budget',
    headers: [undefined, undefined, undefined, undefined],
    waits: [100, 200, 400],
    want: { retryAfterSeconds: undefined },
  },
  { name: 'the budget is for the whole call', headers: ['1', '1'], waits: [1000], want: { retryAfterSeconds: 1 } },
];

for (const { name, headers, waits, want } of rows) {
  for (const call of [read, change]) {
    test(`throttled ${call.verb}: ${name}`, async (t) => {
      const server = await serve(t, (_, __, count) => {
        if (count > headers.length) return { body: { ok: true } };
        const retryAfter = headers[count - 1];
        const body = failure(429, 'TooManyRequests');
        return { status: 429, body, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } };
      });
      const waited: number[] = [];
      const sleep = async (ms: number) => void waited.push(ms);
      const answer = transportTo(server.url, { sleep, now: () => now })(call);
      if (want === 'answered') assert.deepEqual(await answer, { ok: true });
      else {
        const error = await errorOf(answer);
        assert.deepEqual(
          [error.code, error.status, error.retryAfterSeconds],
          ['throttled', 429, want.retryAfterSeconds],
        );
      }
      assert.deepEqual(waited, waits);
    });
  }
}

test('what a 503 says about trying again is passed on', async (t) => {
  const body = { ...failure(503, 'ServiceUnavailable'), details: { retryAfterSeconds: 5 } };
  const server = await serve(t, () => ({ status: 503, body }));
  const error = await errorOf(transportTo(server.url)(read));
  assert.deepEqual([error.code, error.retryAfterSeconds], ['unavailable', 5]);
});
