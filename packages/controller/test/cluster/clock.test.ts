import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../../cluster/clock.ts';
import { read, transportTo } from './build.ts';
import { serve } from './loopback.ts';

const local = Date.parse('2026-01-01T00:00:00Z');
const heard = (...dates: readonly (string | undefined)[]): number => {
  const clock = createClock(() => local);
  for (const date of dates) clock.hear(date);
  return clock.now() - local;
};
const nineYears = 'Thu, 01 Jan 2035 00:00:00 GMT';

test('a clock follows the one that the API server tells, forth and back', () => {
  assert.equal(heard(nineYears), Date.parse('2035-01-01T00:00:00Z') - local);
  assert.equal(heard(nineYears, 'Wed, 31 Dec 2025 00:00:00 GMT'), -86_400_000);
  assert.equal(heard(nineYears, 'Thu, 01 Jan 2026 00:00:02 GMT'), 0, 'it agrees again');
});

for (const date of [
  undefined,
  '',
  'yesterday',
  '2035',
  '2035-01-01T00:00:00Z',
  'Thu, nonsense',
  'Wed, 31 Dec 2025 23:59:55 GMT',
]) {
  test(`it stays one's own after ${JSON.stringify(date)}`, () => assert.equal(heard(date), 0));
}

test('a transport hears the time of each answer, of a refusal too, and keeps the time between', async (t) => {
  let now = local;
  const server = await serve(t, () => ({ status: 404, headers: { date: nineYears } }));
  const transport = transportTo(server.url, { now: () => now });
  assert.equal(transport.now(), local);
  await assert.rejects(transport(read));
  assert.equal(transport.now(), Date.parse(nineYears));
  now += 1000;
  assert.equal(transport.now(), Date.parse(nineYears) + 1000);
});
