import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventRecorded } from '../../functions/event-recorded.ts';
import type { Received } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { arrange } from '../../packages/controller/test/resync/arrange.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import { recorded } from '../build/event.ts';

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
