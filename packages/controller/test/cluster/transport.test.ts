import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Called } from '../../cluster/call.ts';
import { change, errorOf, read, transportTo } from './build.ts';
import { serve } from './loopback.ts';

test('twenty calls one after the other need one connection', async (t) => {
  const server = await serve(t, () => ({ body: { ok: true } }));
  const call = transportTo(server.url);
  for (let count = 0; count < 20; count += 1) await call(count % 2 === 0 ? read : change);
  assert.equal(server.connections(), 1);
});

test('a hundred calls at once share sixteen connections', async (t) => {
  const server = await serve(t, () => ({ body: { ok: true } }));
  const call = transportTo(server.url);
  await Promise.all(Array.from({ length: 100 }, () => call(read)));
  assert.equal(server.connections(), 16);
});

test('a request says who asks, what it takes and what it sends', async (t) => {
  const server = await serve(t, () => ({}));
  await transportTo(
    server.url,
    {},
    { authorization: 'Bearer token', impersonate: 'jane' },
  )({
    ...change,
    contentType: 'application/apply-patch+yaml',
    query: { fieldManager: 'knudge', force: 'true' },
  });
  const [seen] = server.seen;
  assert.equal(seen?.method, 'PATCH');
  assert.equal(seen?.url, '/api/v1/namespaces/shop/configmaps/web?fieldManager=knudge&force=true');
  assert.equal(seen?.body, '{"data":{"a":"1"}}');
  const {
    accept,
    authorization,
    'user-agent': agent,
    'content-type': type,
    'content-length': length,
  } = seen?.headers ?? {};
  assert.deepEqual(
    [accept, authorization, agent, type, length],
    ['application/json', 'Bearer token', 'knudge/1.2.3', 'application/apply-patch+yaml', '18'],
  );
  assert.equal(seen?.headers['impersonate-user'], 'jane');
});

test('a DELETE tells the length of its body, or its preconditions would be overlooked', async (t) => {
  const server = await serve(t, () => ({}));
  await transportTo(server.url)({ ...change, method: 'DELETE', verb: 'delete' });
  assert.equal(server.seen[0]?.body, '{"data":{"a":"1"}}');
});

test('a path in the address of the server stays', async (t) => {
  const server = await serve(t, () => ({}));
  await transportTo(`${server.url}/clusters/a/`)(read);
  assert.equal(server.seen[0]?.url, '/clusters/a/api/v1/namespaces/shop/configmaps/web');
});

test('a redirect is not followed', async (t) => {
  const server = await serve(t, () => ({ status: 307, headers: { location: '/elsewhere' } }));
  const error = await errorOf(transportTo(server.url)(read));
  assert.deepEqual([error.code, server.seen.length], ['unexpected-answer', 1]);
});

test('every try is told with its verb, resource, status and duration', async (t) => {
  const server = await serve(t, (_, __, count) => ({ status: count === 1 ? 503 : 200 }));
  const calls: Called[] = [];
  await transportTo(server.url, { onCall: (called) => calls.push(called) })(read);
  assert.deepEqual(
    calls.map(({ verb, resource, status }) => [verb, resource, status]),
    [
      ['get', 'configmaps', 503],
      ['get', 'configmaps', 200],
    ],
  );
  assert.ok(calls.every(({ ms }) => ms >= 0 && ms < 2000));
});

for (const address of ['http://example.com:8080', 'http://10.0.0.1', 'ftp://127.0.0.1']) {
  test(`${address} is no address for credentials`, () => {
    assert.throws(() => transportTo(address), /use https, or http on loopback only/);
  });
}
