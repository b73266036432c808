import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { change, errorOf, failure, read, transportTo } from './build.ts';
import { type Reply, serve } from './loopback.ts';

type Behaviour = (response: ServerResponse) => Reply | undefined;

interface Row {
  readonly name: string;
  readonly behave: Behaviour;
  /** The code of a read and how often it was sent; then of a write. */
  readonly read: readonly [string, number];
  readonly write: readonly [string, number];
}

const rows: readonly Row[] = [
  {
    name: 'no answer in time',
    behave: () => undefined,
    read: ['unavailable', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'half an answer in time',
    behave: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":'),
    read: ['unavailable', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a reset before the answer',
    behave: (response) => void response.socket?.resetAndDestroy(),
    read: ['unavailable', 2],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a reset within the answer',
    behave: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"kind":', () => response.socket?.resetAndDestroy());
      return undefined;
    },
    read: ['unavailable', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'JSON that ends too soon',
    behave: () => ({ body: '{"kind":"ConfigMap","metadata":{' }),
    read: ['unexpected-answer', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a page for people',
    behave: () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }),
    read: ['unexpected-answer', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'an empty answer',
    behave: () => ({ body: '' }),
    read: ['unexpected-answer', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'an answer that is too long',
    behave: () => ({ body: { data: 'x'.repeat(20_000) } }),
    read: ['unexpected-answer', 1],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a 500',
    behave: () => ({ status: 500, body: failure(500, 'InternalError') }),
    read: ['unavailable', 2],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a 502 of a proxy',
    behave: () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }),
    read: ['unavailable', 2],
    write: ['outcome-unknown', 1],
  },
  {
    name: 'a 504',
    behave: () => ({ status: 504, body: failure(504, 'Timeout') }),
    read: ['unavailable', 2],
    write: ['outcome-unknown', 1],
  },
];

for (const row of rows) {
  for (const [what, call, want] of [
    ['read', read, row.read],
    ['write', change, row.write],
  ] as const) {
    test(`a ${what} that meets ${row.name} is ${want[0]}, after ${want[1]} of it was sent`, async (t) => {
      const server = await serve(t, (_, response) => row.behave(response));
      const error = await errorOf(transportTo(server.url, { timeoutMs: 150, maxAnswerBytes: 10_000 })(call));
      assert.deepEqual([error.code, server.seen.length], want);
      assert.match(error.message, new RegExp(`^${call.verb} of ConfigMap shop/web: `));
    });
  }
}

test('a read that was reset once is answered by its second try', async (t) => {
  const server = await serve(t, (_, response, count) => {
    if (count > 1) return { body: { ok: true } };
    return void response.socket?.resetAndDestroy();
  });
  assert.deepEqual(await transportTo(server.url)(read), { ok: true });
});

test('a write that took effect before its answer was lost is sent once and its outcome is unknown', async (t) => {
  let effects = 0;
  const server = await serve(t, (_, response) => {
    effects += 1;
    return void response.socket?.resetAndDestroy();
  });
  const error = await errorOf(transportTo(server.url)(change));
  assert.deepEqual([error.code, error.retry, effects], ['outcome-unknown', 'later', 1]);
});

test('nobody there: nothing was sent, so a write is unavailable too', async () => {
  const url = await unusedAddress();
  for (const call of [read, change]) {
    const error = await errorOf(transportTo(url)(call));
    assert.equal(error.code, 'unavailable');
    assert.match(error.message, /ECONNREFUSED/);
  }
});

test('a connection that is closed while it is being secured has sent nothing', async (t) => {
  const server = createServer((socket) => socket.destroy());
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const error = await errorOf(transportTo(`https://127.0.0.1:${port}`)(change));
  assert.equal(error.code, 'unavailable');
});

test('the time-out is for the whole call, not for each try', async (t) => {
  const server = await serve(t, async () => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return { status: 503 };
  });
  const error = await errorOf(transportTo(server.url, { timeoutMs: 200 })(read));
  assert.equal(error.code, 'unavailable');
  assert.equal(server.seen.length, 2);
  // With a time of its own the second try would have met its 503.
  assert.match(error.message, /no answer within 200 ms/);
});

async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
