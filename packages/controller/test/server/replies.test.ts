import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { event, recorded } from '../../../../test/build/event.ts';
import type { Received } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/plan.ts';
import type { Reaction } from '../../server/handle-event.ts';
import { decode } from '../../wire/decode.ts';
import { done, post, startApp } from './start.ts';

const parent = (name: string, kind = 'DistributedService') => ({ apiVersion: 'x/v1', kind, namespace: 'shop', name });
const reply = {
  id: 'r/step/1',
  type: 'dev.knudge.resync.due',
  source: '/knudge/resync-due',
  time: '2026-01-01T00:00:00Z',
  extensions: {},
  data: { kind: 'Message' },
};

/** A function of whole events that notes what it is given. */
function onEvents(types: readonly string[] | 'every', outcome: Outcome) {
  const got: Received[] = [];
  const handle = async (received: Received): Promise<Outcome> => {
    got.push(received);
    return outcome;
  };
  const reaction: Reaction = { to: 'event', types, handle };
  return { ...startApp({ reaction }), got };
}

suite('a function of whole events', () => {
  const tick = recorded('resync-due/pingsource-through-broker');
  const types = ['dev.knative.sources.ping'];
  test('is given the event as it was decoded, and answers 204 without a body', async () => {
    const { app, got } = onEvents(types, { result: 'done', reads: 2, writes: 0, events: { sent: 5, failed: 1 } });
    const response = await post(app, tick);
    assert.deepEqual([response.status, response.text], [204, '']);
    assert.equal(response.headers['knudge-outcome'], 'done; reads=2; writes=0; sent=5; failed=1');
    assert.deepEqual(got, [decode(tick)]);
  });
  test('logs one line, with what it sent', async () => {
    const { app, lines } = onEvents(types, { result: 'done', reads: 2, writes: 0, events: { sent: 5, failed: 1 } });
    await post(app, tick);
    assert.equal(lines.length, 1);
    const { msg, type, sent, failed, kind } = lines[0] ?? {};
    assert.deepEqual([msg, type, sent, failed, kind], ['event handled', 'dev.knative.sources.ping', 5, 1, undefined]);
  });
  test('answers with an event in binary mode and 200', async () => {
    const { app } = onEvents(types, { ...done, reply });
    const response = await post(app, tick);
    assert.equal(response.status, 200);
    const received = decode({ headers: response.headers, body: Buffer.from(response.text) });
    const { extensions, ...rest } = reply;
    assert.deepEqual(received, { ...rest, extensions: new Map() });
    assert.deepEqual(extensions, {});
    assert.equal(response.headers['knudge-outcome'], 'done; reads=3; writes=1');
    assert.equal(response.headers['content-length'], String(response.text.length));
  });
  test('ignores other types', async () => {
    const { app, got } = onEvents(types, done);
    const response = await post(app, event());
    assert.deepEqual([response.status, response.headers['knudge-outcome']], [204, 'ignored; reads=0; writes=0']);
    assert.equal(got.length, 0);
  });
  test('refuses a dry run, which it has no plan for, and does nothing', async () => {
    const { app, got } = onEvents(types, done);
    const response = await post(app, tick, '/?dryRun=All');
    assert.deepEqual([response.status, response.body.code, got.length], [400, 'invalid-request', 0]);
  });
  test('that fails is answered as any other', async () => {
    const handle = () => Promise.reject(new KnudgeError('unavailable', 'no Broker'));
    const { app } = startApp({ reaction: { to: 'event', types, handle } });
    await post(app, tick).expect(503).expect('retry-after', '1');
  });
  test('has a deadline as any other', { timeout: 5000 }, async () => {
    const handle = () => new Promise<Outcome>(() => {});
    const { app } = startApp({ reaction: { to: 'event', types, handle }, env: { HANDLER_DEADLINE_SECONDS: '1' } });
    await post(app, tick).expect(503);
  });
});

suite('a function that takes every event also takes one', () => {
  const rows: readonly [name: string, sent: Parameters<typeof event>[0], data: unknown][] = [
    ['of any type', { attributes: { type: 'com.example.x' }, data: { a: 1 } }, { a: 1 }],
    ['whose data is a text', { headers: { 'content-type': 'text/plain' }, data: 'hi' }, undefined],
    ['whose data is cut off', { data: '{"a":' }, undefined],
    ['whose data nests too deep', { data: '['.repeat(100) + ']'.repeat(100) }, undefined],
    ['that is compressed', { headers: { 'content-encoding': 'gzip' }, data: 'x' }, undefined],
    ['without data', { headers: { 'content-type': undefined }, data: '' }, undefined],
  ];
  for (const [name, sent, data] of rows) {
    test(name, async () => {
      const { app, got } = onEvents('every', done);
      await post(app, event(sent)).expect(204);
      assert.deepEqual(
        got.map((received) => received.data),
        [data],
      );
    });
  }
  test('in structured mode', async () => {
    const { app, got } = onEvents('every', done);
    const headers = { 'content-type': 'application/cloudevents+json' };
    const body = Buffer.from(JSON.stringify({ specversion: '1.0', id: 'i', source: 's', type: 't', data: 'text' }));
    await post(app, { headers, body }).expect(204);
    assert.equal(got[0]?.data, 'text');
  });
  test('and what is no event is refused', async () => {
    const { app, got } = onEvents('every', done);
    await post(app, { headers: { 'content-type': 'text/plain' }, body: Buffer.from('hi') }).expect(400);
    assert.equal(got.length, 0);
  });
});

suite('the answer names the parents', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => parent(`s${index}`));
  const five =
    'DistributedService shop/s0, DistributedService shop/s1, DistributedService shop/s2, DistributedService shop/s3, DistributedService shop/s4';
  const rows: readonly [name: string, outcomes: readonly Outcome[], header: string | undefined][] = [
    ['none', [done], undefined],
    ['one', [{ ...done, parents: [parent('web')] }], 'DistributedService shop/web'],
    [
      'two, of which one twice',
      [
        { ...done, parents: [parent('web')] },
        { result: 'gone', reads: 1, writes: 0, parents: [parent('hello', 'Message'), parent('web')] },
      ],
      'DistributedService shop/web, Message shop/hello',
    ],
    ['five', [{ ...done, parents: many(5) }], five],
    ['more than five', [{ ...done, parents: many(1000) }], `${five} and 995 more`],
    ['in ASCII', [{ ...done, parents: [parent('wéb\r\n')] }], 'DistributedService shop/w?b??'],
  ];
  for (const [name, outcomes, header] of rows) {
    test(name, async () => {
      const response = await post(startApp({ handle: async () => outcomes }).app, event());
      assert.equal(response.status, 204);
      assert.equal(response.headers['knudge-parents'], header);
    });
  }
});
