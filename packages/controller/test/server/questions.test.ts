import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { keepShut } from '../../../../functions/frp-gate.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { Asked, Reply } from '../../domain/ports.ts';
import { reactToQuestions } from '../../react/question.ts';
import { type Started, startApp } from './start.ts';

const json = 'application/json';
const reply: Reply = { json: { fine: true }, outcome: 'in', fields: { op: 'login' } };

function start(handle: (asked: Asked) => Promise<Reply>, env: Readonly<Record<string, string>> = {}): Started {
  return startApp({ reaction: { to: 'question', handle, failed: keepShut }, env });
}

describe('a function that answers questions', () => {
  it('is given path and JSON, and answers 200 with JSON; the log has one line', async () => {
    const asked: Asked[] = [];
    const { app, lines } = start(async (one) => {
      asked.push(one);
      return reply;
    });
    const answer = await request(app).post('/knudge/frps?version=0.1.0&op=Login').type(json).send('{"a":1}');
    assert.deepEqual([answer.status, answer.type, answer.text], [200, json, '{"fine":true}']);
    assert.deepEqual(asked, [{ path: '/knudge/frps', body: { a: 1 } }]);
    assert.deepEqual(
      lines.map(({ msg, path, outcome, op }) => [msg, path, outcome, op]),
      [['question answered', '/knudge/frps', 'in', 'login']],
    );
    assert.equal((await request(app).post('/').type(json).send('{}')).status, 200);
    assert.match(
      (await request(app).get('/metrics')).text,
      /knudge_events_total\{function="message-changed",outcome="in"\} 2/,
    );
  });

  it('has its health at the usual places, and nothing else to get', async () => {
    const { app } = start(async () => reply);
    assert.equal((await request(app).get('/health/readiness')).status, 200);
    assert.equal((await request(app).get('/knudge/frps')).status, 400);
  });

  const refused: readonly [sentence: string, type: string, body: string, status: number][] = [
    ['what is not JSON by its type', 'text/plain', '{}', 415],
    ['what is not JSON', json, '{', 400],
    ['what would change a prototype', json, '{"__proto__":{}}', 400],
    ['more than 64 KiB', json, JSON.stringify('x'.repeat(65_536)), 413],
  ];
  for (const [sentence, type, body, status] of refused) {
    it(`refuses ${sentence} with ${String(status)}, which lets nobody in`, async () => {
      const { app } = start(() => Promise.reject(new Error('must not be asked')));
      assert.equal((await request(app).post('/knudge/frps').type(type).serialize(String).send(body)).status, status);
    });
  }

  it('says no where it cannot say yes, and the log says why', async () => {
    for (const [thrown, code, level] of [
      [new KnudgeError('unavailable', 'connection refused'), 'unavailable', 'warn'],
      [new KnudgeError('not-permitted', 'secrets'), 'not-permitted', 'error'],
      [new TypeError('a bug'), 'internal', 'error'],
    ] as const) {
      const { app, lines } = start(() => Promise.reject(thrown));
      const answer = await request(app).post('/knudge/frps').type(json).send('{}');
      const said = `the gate cannot tell whether this is allowed (${code}): try again, and see its log`;
      assert.deepEqual([answer.status, answer.body], [200, { reject: true, reject_reason: said }]);
      assert.equal(lines[0]?.['level'], level);
      assert.ok(JSON.stringify(lines[0]).includes(thrown.message));
    }
  });

  it('says no when it has thought too long', async () => {
    const { app } = start(() => new Promise(() => {}), { HANDLER_DEADLINE_SECONDS: '1' });
    const answer = await request(app).post('/knudge/frps').type(json).send('{}');
    assert.match(answer.text, /"reject":true.*unavailable/);
  });

  it('is given a comparison and a digest that do what they say', async () => {
    const seen: unknown[] = [];
    const reader = memoryCluster();
    const { handle } = reactToQuestions(
      {
        handle: async (_, { isSame, md5 }) => {
          seen.push(isSame('a', 'a'), isSame('a', 'ab'), isSame('', ''), md5(''));
          return reply;
        },
        failed: keepShut,
      },
      { reader, controllerNamespace: 'knudge' },
    );
    await handle({ path: '/', body: {} });
    assert.deepEqual(seen, [true, false, true, 'd41d8cd98f00b204e9800998ecf8427e']);
  });
});
