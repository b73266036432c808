import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import request from 'supertest';
import { event } from '../../../../test/build/event.ts';
import type { Outcome } from '../../domain/plan.ts';
import { post, startApp } from './start.ts';

const parent = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

const concerning: readonly (readonly [string, readonly Outcome[], 'info' | 'debug'])[] = [
  ['concerned nobody', [{ result: 'ignored', reads: 0, writes: 0 }], 'debug'],
  ['concerned nobody, which took a read', [{ result: 'ignored', reads: 1, writes: 0 }], 'debug'],
  ['brought nothing new to a parent', [{ result: 'ignored', reads: 0, writes: 0, parents: [parent] }], 'info'],
  ['is about a parent that is gone', [{ result: 'gone', reads: 1, writes: 0, parents: [parent] }], 'info'],
];

suite('one line is logged about an event', () => {
  test('that is done', async () => {
    const { app, lines } = startApp();
    await post(app, event()).expect(204);
    const { time, ms, ...line } = lines[0] ?? {};
    assert.equal(lines.length, 1);
    assert.ok(typeof time === 'string' && typeof ms === 'number' && ms >= 0);
    assert.deepEqual(line, {
      level: 'info',
      service: 'knudge',
      function: 'message-changed',
      msg: 'event handled',
      event: 'event-1',
      type: 'dev.knative.apiserver.resource.update',
      verb: 'updated',
      kind: 'Message',
      namespace: 'shop',
      name: 'hello',
      outcome: 'done',
      reads: 3,
      writes: 1,
    });
  });
  for (const [what, outcomes, level] of concerning) {
    test(`at level ${level} that ${what}`, async () => {
      const handle = () => Promise.resolve(outcomes);
      const quiet = startApp({ handle, env: { LOG_LEVEL: 'info' } });
      await post(quiet.app, event()).expect(204);
      assert.equal(quiet.lines.length, level === 'info' ? 1 : 0);
      const full = startApp({ handle, env: { LOG_LEVEL: 'debug' } });
      await post(full.app, event()).expect(204);
      const [line] = full.lines;
      assert.deepEqual(
        [full.lines.length, line?.['level'], line?.['name'], line?.['outcome']],
        [1, level, 'hello', outcomes[0]?.result],
      );
    });
  }
  test('that is refused, with what is known of it', async () => {
    const { app, lines } = startApp();
    await post(app, event({ attributes: { name: '../x' } })).expect(400);
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.['event'], 'event-1');
    assert.equal(lines[0]?.['outcome'], 'invalid-event');
    assert.equal(lines[0]?.['kind'], undefined);
  });
  test('that failed by a fault of ours, with its stack and without tokens', async () => {
    const { app, lines } = startApp({ handle: () => Promise.reject(new TypeError('GET with Bearer abc.def failed')) });
    await post(app, event()).expect(500);
    const { err } = lines[0] as { err: { code: string; cause: { type: string; stack: string } } };
    assert.equal(err.code, 'internal');
    assert.equal(err.cause.type, 'TypeError');
    assert.ok(err.cause.stack.includes('event-line.test.ts'));
    assert.ok(!JSON.stringify(lines).includes('abc.def'));
  });
});

test('events are counted by what came of them', async () => {
  const { app } = startApp();
  await post(app, event()).expect(204);
  await post(app, event()).expect(204);
  await post(app, event({ attributes: { type: 'com.example.x' } })).expect(204);
  await post(app, event({ data: '{' })).expect(400);
  const { text } = await request(app)
    .get('/metrics')
    .expect('content-type', /version=0\.0\.4/);
  assert.match(text, /^knudge_events_total\{function="message-changed",outcome="done"\} 2$/m);
  assert.match(text, /^knudge_events_total\{function="message-changed",outcome="ignored"\} 1$/m);
  assert.match(text, /^knudge_events_total\{function="message-changed",outcome="invalid-json"\} 1$/m);
});
