import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { recorded } from '../../../../test/build/event.ts';
import type { Received } from '../../domain/change.ts';
import { deadLettered } from '../../functions/dead-lettered.ts';
import { decode } from '../../wire/decode.ts';
import { arrange } from '../resync/arrange.ts';
import { collectLog } from '../server/start.ts';

/** The lines that are logged about a dead letter, as they leave the process. */
async function linesOf(received: Received): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { log, lines } = collectLog();
  const letters: Received[] = [];
  const eventLog = { ...arrange({}).parts.eventLog, appendDeadLetter: async (one: Received) => void letters.push(one) };
  const outcome = await deadLettered(received, { ...arrange({}).parts, eventLog, log });
  assert.deepEqual(outcome, { result: 'done', reads: 0, writes: 0 });
  assert.deepEqual(letters, [received], 'it is kept');
  return lines;
}

function letter(extensions: Readonly<Record<string, string>>): Received {
  return { id: 'e-1', type: 'a.b', source: '/s', extensions: new Map(Object.entries(extensions)), data: undefined };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const said = async (text: string): Promise<unknown> =>
  (await linesOf(letter({ knativeerrordata: base64(text) })))[0]?.['said'];

test('a recorded dead letter is one line with its object and the reason', async () => {
  const { headers, body } = recorded('dead-lettered/broker-deadletter-after-retries-500', {
    'ce-knativeerrordest': 'http://198.19.1.1:19000/fn?name=dead500&status=500',
  });
  const lines = await linesOf(decode({ headers, body }));
  const { time, ...line } = lines[0] ?? {};
  assert.equal(lines.length, 1);
  assert.ok(time);
  assert.deepEqual(line, {
    level: 'warn',
    service: 'knudge',
    msg: 'dead letter',
    event: headers['ce-id'],
    type: 'dev.knative.apiserver.resource.add',
    source: headers['ce-source'],
    kind: 'ConfigMap',
    namespace: 'ev',
    name: 't500',
    destination: 'http://198.19.1.1:19000/fn',
    code: '500',
    said: 'function says 500',
  });
});

test('one whose reason the Broker does not give, as after a time-out, is told all the same', async () => {
  const [line] = await linesOf(letter({ kind: 'Pod', name: 'web' }));
  assert.equal(line?.['name'], 'web');
  for (const field of ['destination', 'code', 'said']) assert.equal(line?.[field], undefined);
});

test('an answer of ours is its code and its message', async () => {
  assert.equal(await said('{"code":"conflict","message":"Pod shop/web changed"}'), 'conflict: Pod shop/web changed');
});

suite('what was said never tells a secret', () => {
  const rows: readonly [name: string, text: string][] = [
    ['an object', '{"kind":"Secret","data":{"key":"hunter2"}}'],
    ['a piece of an object', '{"kind":"Secret","data":{"key":"hunter2"},"metadata":{"na'],
    ['a list', '[{"data":{"key":"hunter2"}}]'],
    ['a text in quotes', '"hunter2"'],
    ['null, with a message that is none', '{"code":1,"message":{"data":"hunter2"}}'],
    ['a bearer token', 'refused: Bearer hunter2'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nhunter2'],
  ];
  for (const [name, text] of rows) {
    test(name, async () => assert.doesNotMatch(JSON.stringify(await said(text)), /hunter2/));
  }
});

test('nothing that is repeated is longer than a few lines', async () => {
  const long = 'x'.repeat(10_000);
  const extensions = { kind: long, namespace: long, name: long, knativeerrordest: long, knativeerrorcode: long };
  const lines = await linesOf(letter({ ...extensions, knativeerrordata: base64(long) }));
  assert.ok(JSON.stringify(lines).length < 4000);
  assert.equal(String(await said(JSON.stringify({ code: 'internal', message: long }))).length, 512);
});

test('it is appended, and one line is logged', async () => {
  const kept: unknown[] = [];
  const eventLog = { ...arrange({}).parts.eventLog, appendDeadLetter: async (one: unknown) => void kept.push(one) };
  const { log, lines } = collectLog();
  const one = letter({ knativeerrordest: 'http://pod-changed' });
  await deadLettered(one, { ...arrange({}).parts, eventLog, log });
  assert.deepEqual([kept, lines.length], [[one], 1]);
});
