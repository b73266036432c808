import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxAttributeLength } from '../../domain/change.ts';
import { readDeliveries, readDelivery } from '../../domain/read-deliveries.ts';

const good = {
  event: { id: 'e', source: '/s' },
  function: 'message-changed',
  at: '2026-03-01T12:00:00Z',
  ms: 5,
  status: 204,
  outcome: 'done',
  reads: 1,
  writes: 0,
  parents: [],
  written: [],
};

test('a report of another form is refused with the name of what is wrong', () => {
  for (const [data, name] of [
    [undefined, 'data'],
    [{ deliveries: 1 }, 'deliveries'],
    [{ deliveries: Array(101).fill({}) }, 'deliveries'],
    [{ deliveries: [{ event: { id: 'a', source: 'b' }, at: 'noon' }] }, 'at'],
    [{ deliveries: [{ ...good, status: undefined }] }, 'status'],
  ] as const) {
    assert.throws(() => readDeliveries(data), { code: 'invalid-event', message: new RegExp(`its ${name} is wrong`) });
  }
});

test('an id and a source of full length are those of the event, and other texts are cut', () => {
  const event = { id: 'x'.repeat(maxAttributeLength), source: `/${'y'.repeat(maxAttributeLength - 1)}` };
  const read = readDelivery({ ...good, event, function: 'z'.repeat(513) });
  assert.deepEqual([read.event, read.function.length], [event, 512]);
});
