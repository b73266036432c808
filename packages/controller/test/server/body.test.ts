import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { event } from '../../../../test/build/event.ts';
import { longestErrorBody } from '../../server/error-body.ts';
import { close, exchange, listen, open, received, until } from './raw.ts';
import { startApp } from './start.ts';

const limit = 4096;
const head = [
  'POST / HTTP/1.1',
  'Host: x',
  ...Object.entries(event().headers).map(([name, value]) => `${name}: ${value}`),
].join('\r\n');
const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

suite('a body', () => {
  const started = startApp({ env: { BODY_LIMIT_BYTES: String(limit) } });
  let port = 0;
  before(async () => {
    port = await listen(started.app);
  });
  after(() => close(started.app));

  const statusOf = (answer: string): number => Number(answer.split(' ')[1]);
  const sized = (length: number): string => {
    const data = JSON.stringify({ ...JSON.parse(event().body.toString()), pad: '' });
    return data.replace('"pad":""', `"pad":"${'x'.repeat(length - data.length)}"`);
  };
  const withLength = (body: string): string => `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  test('of exactly the limit is taken', async () => {
    assert.equal(statusOf(await exchange(port, withLength(sized(limit)), '\r\n\r\n')), 204);
  });
  test('of one byte more is 413', async () => {
    assert.equal(statusOf(await exchange(port, withLength(sized(limit + 1)), '}')), 413);
  });
  test('that is declared too large is refused before a byte of it comes', async () => {
    const answer = await exchange(port, `${head}\r\nContent-Length: 99999999999\r\n\r\n`, '}');
    assert.equal(statusOf(answer), 413);
    assert.ok(answer.includes('"code":"too-large"'));
  });
  test('in chunks of exactly the limit is taken', async () => {
    const body = sized(limit);
    const pieces = [body.slice(0, 1000), body.slice(1000)].map(
      (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
    );
    assert.equal(
      statusOf(
        await exchange(port, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.join('')}0\r\n\r\n`, '\r\n\r\n'),
      ),
      204,
    );
  });
  test('in chunks is refused at the limit, before its end comes', async () => {
    const answer = await exchange(port, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(limit)}${chunk(1)}`, '}');
    assert.equal(statusOf(answer), 413);
  });
  test('that goes on for ever is not kept: memory stays', async () => {
    const socket = await open(port);
    socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const memoryBefore = process.memoryUsage().arrayBuffers;
    const piece = chunk(64 * 1024);
    for (let sent = 0; sent < 512; sent++) {
      if (!socket.write(piece)) await once(socket, 'drain', { signal: AbortSignal.timeout(5000) });
    }
    // What is collected is given back a moment later, by another thread.
    await until(() => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - memoryBefore < 8 * 1024 * 1024;
    });
    assert.equal(statusOf(await received(socket, '}')), 413);
    socket.destroy();
  });
  test('after a refused one the connection can be used again', async () => {
    const socket = await open(port);
    socket.write(withLength(sized(limit + 1)));
    assert.equal(statusOf(await received(socket, '}')), 413);
    socket.write(withLength(event().body.toString()));
    assert.equal(statusOf(await received(socket, '\r\n\r\n')), 204);
    socket.destroy();
  });
  test('whose sender hangs up is one line of the log, and the server lives', async () => {
    const before = started.lines.length;
    const socket = await open(port);
    socket.write(`${head}\r\nContent-Length: 1000\r\n\r\n{"a":`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await until(() => started.lines.length > before);
    assert.equal(started.lines.at(-1)?.['outcome'], 'invalid-request');
    assert.equal(statusOf(await exchange(port, withLength(event().body.toString()), '\r\n\r\n')), 204);
  });
});

suite('what is no request', () => {
  const { app } = startApp();
  let port = 0;
  before(async () => {
    app.headersTimeout = 100;
    app.requestTimeout = 200;
    port = await listen(app);
  });
  after(() => close(app));

  const rows: readonly [name: string, bytes: string | Buffer, status: number, code: string][] = [
    ['no HTTP', 'hello there\r\n\r\n', 400, 'invalid-request'],
    ['a TLS handshake', Buffer.from('160301020001000001fc0303', 'hex'), 400, 'invalid-request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['headers of 20 kB', `POST / HTTP/1.1\r\nHost: x\r\nce-note: ${'x'.repeat(20_000)}\r\n\r\n`, 413, 'too-large'],
    ['no Host', 'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 400, 'invalid-request'],
    ['headers that do not end', 'POST / HTTP/1.1\r\nHost: x\r\n', 503, 'unavailable'],
    ['a body that does not end', `${head}\r\nContent-Length: 1000\r\n\r\n{`, 503, 'unavailable'],
    [
      'an Expect that nobody knows',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: money\r\nContent-Length: 0\r\n\r\n',
      400,
      'not-a-cloud-event',
    ],
  ];
  for (const [name, bytes, status, code] of rows) {
    test(`${name} is ${status}`, async () => {
      const answer = await exchange(port, bytes, '}');
      const [header = '', body = ''] = answer.split('\r\n\r\n');
      assert.equal(Number(header.split(' ')[1]), status);
      assert.equal((JSON.parse(body) as { code: string }).code, code);
      assert.ok(body.length <= longestErrorBody);
    });
  }
});
