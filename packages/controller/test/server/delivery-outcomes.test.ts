import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeliveries } from '../../domain/read-deliveries.ts';

test('an outcome that is neither a result nor a code is read as `other`: each outcome is a series of the metrics', () => {
  const said = (outcome: string): unknown => ({
    event: { id: 'e', source: '/s' },
    function: 'message-changed',
    outcome,
    ms: 5,
    at: '2026-03-01T12:00:00Z',
    status: 204,
    written: [],
    parents: [],
    writes: 0,
    reads: 0,
  });
  const outcomes = ['done', 'planned', 'no-answer', 'conflict', 'constructor', 'ever-new', ''];
  const read = readDeliveries({ deliveries: outcomes.map(said) }).map(({ outcome }) => outcome);
  assert.deepEqual(read, ['done', 'planned', 'no-answer', 'conflict', 'other', 'other', 'other']);
});
