import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameStatus } from '../../decide/same-status.ts';

const condition = (type: string, reason = 'Running') => ({
  type,
  reason,
  status: 'True' as const,
  message: 'all is well',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const decided = { state: 'Running', conditions: [condition('Ready'), condition('TunnelAvailable')] };

const rows: readonly [sentence: string, live: object | undefined, same: boolean][] = [
  ['the same status is the same', structuredClone(decided), true],
  [
    'a condition of another controller between ours is no difference',
    { ...decided, conditions: [condition('Ready'), condition('example.com/Seen'), condition('TunnelAvailable')] },
    true,
  ],
  ['a condition that is missing is one', { ...decided, conditions: [condition('Ready')] }, false],
  [
    'another reason is one',
    { ...decided, conditions: [condition('Ready', 'Other'), condition('TunnelAvailable')] },
    false,
  ],
  ['a field that is no longer said is one', { ...decided, address: 'web.example.com' }, false],
  ['no status is one', undefined, false],
];
for (const [sentence, live, same] of rows) {
  test(sentence, () => assert.equal(isSameStatus(decided, live), same));
}
