import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../hop.ts';
import { lineOf, plain } from '../screen.ts';

const attributes = { specversion: '1.0', id: '1', source: 's', type: 'dev.knudge.resync.due' };
const event = { attributes, data: Buffer.alloc(0) };
const trigger = 'knudge/event-recorded';
const delivery = { kind: 'delivered', trigger, event, attempt: 1, ms: 1, headers: {} } as const;
const said = (entry: object): Hop => ({ kind: 'said', function: 'event-log', line: JSON.stringify(entry) });

/** Of an event log that is late or away a person sees one line, its own, and not three for each event. */
const rows: readonly (readonly [string, Hop, string | undefined])[] = [
  ['an event that it refuses', { ...delivery, status: 503, why: 'away' }, undefined],
  [
    'what the Broker then gives up',
    { kind: 'dead-lettered', trigger, event, to: 'http://dead', status: 204 },
    undefined,
  ],
  ['its word on one event', said({ level: 'warn', outcome: 'unavailable', msg: 'event not handled' }), undefined],
  [
    'its word on itself',
    said({ level: 'error', msg: 'the event log does not answer', err: { message: 'not within 100 ms' } }),
    'event-log: the event log does not answer: not within 100 ms',
  ],
  [
    'the reason in a line of the resync',
    said({ level: 'warn', msg: 'resync: when it was could not be kept', error: 'there is no namespace knudge' }),
    'event-log: resync: when it was could not be kept: there is no namespace knudge',
  ],
  ['that nobody is there', { ...delivery, status: 0 }, 'dev.knudge.resync.due → event-recorded → no answer'],
  [
    'its word on an event that is none',
    said({ level: 'warn', outcome: 'invalid-event', msg: 'event not handled' }),
    'event-log: event not handled',
  ],
];
for (const [name, hop, line] of rows) {
  test(`of the event log a person sees: ${name}`, () => assert.equal(lineOf(hop, plain), line));
}
