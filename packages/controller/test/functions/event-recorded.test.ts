import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorded } from '../../../../test/build/event.ts';
import type { Received } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { eventRecorded } from '../../functions/event-recorded.ts';
import { decode } from '../../wire/decode.ts';
import { arrange } from '../resync/arrange.ts';

const { parts } = arrange({});
const event = decode(recorded('event-recorded/pod-update-through-broker'), 'any data');

test('an event is appended as it came', async () => {
  const appended: Received[] = [];
  const append = async (one: Received): Promise<boolean> => appended.push(one) > 0;
  const outcome = await eventRecorded(event, { ...parts, eventLog: { ...parts.eventLog, append } });
  assert.deepEqual([outcome.result, appended], ['done', [event]]);
});

test('one that says it is sent again is appended as well, so that nobody gets past the log by saying so', async () => {
  const appended: Received[] = [];
  const append = async (one: Received): Promise<boolean> => appended.push(one) > 1;
  const again = { ...event, extensions: new Map([...event.extensions, ['knudgereplay', 'true']]) };
  const outcome = await eventRecorded(again, { ...parts, eventLog: { ...parts.eventLog, append } });
  assert.deepEqual([outcome.result, appended], ['done', [again]]);
});

test('a log that is away is not hidden', async () => {
  const append = async (): Promise<boolean> => {
    throw new KnudgeError('unavailable', 'away');
  };
  await assert.rejects(eventRecorded(event, { ...parts, eventLog: { ...parts.eventLog, append } }), {
    code: 'unavailable',
  });
});

test('what the Broker brings for the last time is not refused once more: the log has counted it as missing', async () => {
  const append = async (): Promise<boolean> => {
    throw new KnudgeError('unavailable', 'away');
  };
  const letter = { ...event, extensions: new Map([...event.extensions, ['knativeerrorcode', '503']]) };
  const outcome = await eventRecorded(letter, { ...parts, eventLog: { ...parts.eventLog, append } });
  assert.equal(outcome.result, 'done');
});

test('a report of deliveries is kept as deliveries and not as an event, and one of another form as the event that it is', async () => {
  const kept: unknown[] = [];
  const appendDeliveries = async (all: readonly unknown[]): Promise<void> => void kept.push(...all);
  const eventLog = { append: () => Promise.reject(new Error('no event')), appendDeliveries };
  const context = { ...parts, eventLog: { ...parts.eventLog, ...eventLog } };
  const delivery = {
    event: { id: 'e-1', source: '/s' },
    function: 'message-changed',
    at: '2026-03-01T12:00:00.000Z',
    ms: 4,
    status: 204,
    outcome: 'done',
    reads: 1,
    writes: 0,
    parents: [],
    written: [],
  };
  const report = { ...event, type: 'dev.knudge.reconciled', data: { deliveries: [delivery] } };
  assert.equal((await eventRecorded(report, context)).result, 'done');
  assert.deepEqual(kept, [delivery]);
  const appended: Received[] = [];
  const append = async (one: Received): Promise<boolean> => appended.push(one) > 0;
  const wrong = { ...report, data: {} };
  const outcome = await eventRecorded(wrong, { ...parts, eventLog: { ...parts.eventLog, ...eventLog, append } });
  assert.deepEqual([outcome.result, appended, kept.length], ['done', [wrong], 1]);
});
