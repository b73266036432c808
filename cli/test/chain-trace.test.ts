import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainText } from '../events/chain.ts';

test('what became of an event names the trace that shows it', () => {
  const plain = (text: string): string => text;
  const delivery = {
    seq: 1,
    function: 'message-changed',
    at: '2026-01-01T00:00:00.000Z',
    ms: 4,
    status: 204,
    outcome: 'done',
    reads: 2,
    writes: 0,
    parents: [],
    made: [],
  };
  const event = {
    seq: 1,
    id: 'e',
    source: '/s',
    type: 't',
    time: '2026-01-01T00:00:00.000Z',
    recorded: '2026-01-01T00:00:00.000Z',
  };
  const style = { dim: plain, odd: plain } as Parameters<typeof chainText>[1];
  const textOf = (traceId?: string): string =>
    chainText({ event, causes: [], deliveries: [{ ...delivery, ...(traceId !== undefined && { traceId }) }] }, style);
  assert.match(textOf('ab'.repeat(16)), /message-changed: done, 204, 2 reads, 0 writes, 4 ms, trace (ab){16}$/);
  assert.match(textOf(), /4 ms$/);
});
