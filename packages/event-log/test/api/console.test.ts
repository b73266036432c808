import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LogApiParts } from '../../api/route.ts';
import { memoryLog } from '../store/memory-log.ts';
import { type Asking, askLog } from './serve-log.ts';

const { log } = memoryLog(() => 'works');
const files: LogApiParts['files'] = async () =>
  new Map([
    ['index.html', { type: 'text/html; charset=utf-8', body: Buffer.from('<p>pages</p>') }],
    ['app.js', { type: 'text/javascript; charset=utf-8', body: Buffer.from('// code') }],
  ]);
const ask = (url: string, asking: Asking = {}, parts: Partial<LogApiParts> = {}) =>
  askLog(url, asking, { log, files, send: async () => undefined, ...parts });

suite('the files of the console', () => {
  for (const [path, type, body] of [
    ['/console/', 'text/html; charset=utf-8', '<p>pages</p>'],
    ['/console/events/129', 'text/html; charset=utf-8', '<p>pages</p>'],
    ['/console/app.js', 'text/javascript; charset=utf-8', '// code'],
  ] as const) {
    test(`${path} is served, with what keeps the page to its own origin`, async () => {
      const { status, headers, body: given } = await ask(path);
      assert.deepEqual([status, headers['content-type'], given], [200, type, body]);
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'self'; /);
      assert.deepEqual([headers['x-content-type-options'], headers['cache-control']], ['nosniff', 'no-cache']);
      const etag = headers['etag'] ?? '';
      assert.equal((await ask(path, { headers: { 'if-none-match': etag } })).status, 304);
      const head = await ask(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers['content-length']], [200, String(body.length)]);
    });
  }

  test('a file that is not there is 404, and without a console that is said', async () => {
    assert.deepEqual(
      [(await ask('/console/other.js')).code, (await ask('/console/a/app.js')).code],
      Array(2).fill('not-found'),
    );
    assert.match((await ask('/console/', {}, { files: async () => undefined })).body, /built without the console/);
    assert.equal((await ask('/console')).headers['location'], '/console/');
    assert.equal((await ask('/console/', { method: 'POST' })).status, 405);
  });

  test('are for those who may get them', async () => {
    const check: LogApiParts['check'] = async () => 'forbidden';
    assert.equal((await ask('/console/', {}, { check })).status, 401);
    assert.equal((await ask('/console/', { headers: { authorization: 'Bearer t' } }, { check })).status, 403);
  });

  test('the pages ask below their own address, and what is not there is not a page', async () => {
    assert.deepEqual(JSON.parse((await ask('/console/api/gaps')).body), { gaps: [] });
    assert.equal((await ask('/console/api/none')).code, 'invalid-request');
    assert.equal((await ask('/console/api/gaps', { method: 'POST' })).status, 405);
  });
});

suite('GET /may', () => {
  const mayOf = (body: string) => (JSON.parse(body) as { may: Record<string, { allowed: boolean; why?: string }> }).may;

  test('on this machine everything is allowed', async () => {
    const may = mayOf((await ask('/may')).body);
    assert.deepEqual([may['retry'], may['read']], [{ allowed: true }, { allowed: true }]);
  });

  test('in a cluster says what is not, and why', async () => {
    const check: LogApiParts['check'] = async (_, { verb }) => (verb === 'get' ? 'allowed' : 'forbidden');
    const may = mayOf((await ask('/may', { headers: { authorization: 'Bearer t' } }, { check })).body);
    assert.deepEqual(may['stream'], { allowed: true });
    assert.equal(may['replay']?.allowed, false);
    assert.match(may['replay']?.why ?? '', /verb post on the nonResourceURL \/replay/);
  });

  test('is nothing for strangers', async () => {
    assert.equal((await ask('/may', {}, { check: async () => 'unauthenticated' })).status, 401);
    assert.equal((await ask('/may', { headers: { host: 'evil.example' } })).status, 403);
  });
});

for (const path of ['/map', '/functions', '/doctor']) {
  test(`GET ${path} says who can answer it`, async () => {
    const { status, code, body } = await ask(path);
    assert.deepEqual([status, code], [404, 'not-found']);
    assert.match(body, /: npx knudge \w+/);
  });
}
