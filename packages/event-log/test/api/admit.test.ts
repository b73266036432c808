import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { admit } from '../../api/admit.ts';
import type { LogApiParts } from '../../api/route.ts';
import { memoryLog } from '../store/memory-log.ts';
import { type Asking, askLog } from './serve-log.ts';

const { log } = memoryLog(() => 'works');

const ask = (path: string, given: Asking = {}, parts: Partial<LogApiParts> = {}) =>
  askLog(path, given, { log, send: async () => undefined, ...parts });

suite('who may ask', () => {
  const rows: readonly [sentence: string, asking: Asking, wanted: number][] = [
    ['this machine', {}, 200],
    ['this machine by its name', { headers: { host: 'localhost:8304' } }, 200],
    ['this machine over IPv6', { headers: { host: '[::1]:8304' } }, 200],
    ['a page in a browser under another name', { headers: { host: 'evil.example:8304' } }, 403],
    ['a page of another origin', { headers: { host: 'localhost:8304', origin: 'http://localhost:3000' } }, 403],
    ['a page of this one', { headers: { host: 'localhost:8304', origin: 'http://localhost:8304' } }, 200],
    ['a form in a browser', { method: 'POST', headers: { 'content-type': 'text/plain' } }, 403],
    // There is no such letter, and it was let in to hear that.
    ['a program', { method: 'POST' }, 404],
  ];
  for (const [sentence, asking, wanted] of rows) {
    test(`outside of a cluster: ${sentence}`, async () => {
      const path = asking.method === 'POST' ? '/dead-letters/2/discard' : '/gaps';
      assert.equal((await ask(path, asking)).status, wanted);
    });
  }

  test('outside of a cluster: another machine', async () => {
    const asked = {
      method: 'GET',
      path: '/gaps',
      query: new URLSearchParams(),
      params: {},
      body: async () => Buffer.of(),
    };
    const said = { accept: '*/*', contentType: '', authorization: '', headers: { host: '127.0.0.1:8304' } };
    assert.equal((await admit({ ...asked, ...said, isLocal: false }, '/gaps', undefined))?.status, 403);
    assert.equal(await admit({ ...asked, ...said, isLocal: true }, '/gaps', undefined), undefined);
  });

  for (const [authorization, review, wanted] of [
    ['', 'allowed', 401],
    ['Basic YTpi', 'allowed', 401],
    ['Bearer t', 'unauthenticated', 401],
    ['Bearer t', 'forbidden', 403],
    ['bearer t', 'allowed', 200],
  ] as const) {
    test(`in a cluster: "${authorization}" that is ${review}`, async () => {
      const asked: unknown[] = [];
      const check: LogApiParts['check'] = async (...given) => {
        asked.push(given);
        return review;
      };
      const { status, headers } = await ask('/events', { headers: { authorization, host: 'event-log' } }, { check });
      assert.equal(status, wanted);
      if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer');
      const hasToken = /^bearer/i.test(authorization);
      assert.deepEqual(asked, hasToken ? [['t', { verb: 'get', path: '/events' }]] : []);
    });
  }
});
