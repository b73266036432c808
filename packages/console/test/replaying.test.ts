import assert from 'node:assert/strict';
import { it } from 'node:test';
import { after, partIn } from '../model/replaying.ts';

const rest = { kind: 'Message', rate: 2 };

it('the rest of a replay is the same selection at the same rate, from the place of the answer', () => {
  const one = after({ sent: 0, failed: 0, rest }, { sent: 12, failed: 1, next: { after: 40, before: 90 } });
  assert.deepEqual(one, { sent: 12, failed: 1, rest: { kind: 'Message', rate: 2, after: 40, before: 90 } });
  const two = after(one, { sent: 3, failed: 0, next: { after: 60, before: 90 } });
  assert.deepEqual(two, { sent: 15, failed: 1, rest: { kind: 'Message', rate: 2, after: 60, before: 90 } });
  assert.deepEqual(after(two, { sent: 5, failed: 0 }), { sent: 20, failed: 1 });
});

it('a refusal that names its place counts what was sent before it, any other counts nothing', () => {
  const answer = { code: 'unavailable', message: 'away', sent: 3, failed: 0, next: { after: 7 } };
  assert.deepEqual(partIn(answer), { sent: 3, failed: 0, next: { after: 7 } });
  assert.deepEqual([partIn(undefined), partIn({ code: 'not-found' })], [undefined, undefined]);
});
