import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { decodeHeaderValue } from '../../../controller/wire/header-value.ts';
import { encodeHeaderValue } from '../../broker/header-value.ts';
import { postEvent } from '../../broker/http-deliver.ts';
import { eventOf } from '../../broker/http-event.ts';
import { anEvent } from './build.ts';
import { nobody, startSubscriber } from './subscriber.ts';

/** A server that says these bytes to whatever it is asked, and hangs up. */
async function saying(t: TestContext, bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (bytes === '' ? socket.resetAndDestroy() : socket.end(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an event is posted in binary mode and comes out as it went in', async (t) => {
  const subscriber = await startSubscriber(t, () => ({ status: 418, headers: { 'knudge-outcome': 'x' }, body: 'tea' }));
  const event = { ...anEvent('e-1', { subject: 'a "€" %', empty: '' }), headers: { 'kn-namespace': 'shop' } };
  const answer = await postEvent(`${subscriber.url}/there?a=b`, event, 5000);
  assert.equal(answer.kind, 'answered');
  if (answer.kind !== 'answered') return;
  assert.equal(answer.status, 418);
  assert.equal(answer.headers['knudge-outcome'], 'x');
  assert.equal(String(answer.body), 'tea');
  const [got] = subscriber.got;
  assert.equal(got?.path, '/there?a=b');
  assert.equal(got?.headers['content-length'], String(event.data.length));
  assert.equal(got?.headers['transfer-encoding'], undefined);
  assert.deepEqual(got && eventOf(got), event);
});

test('an event without data says so', async (t) => {
  const subscriber = await startSubscriber(t, () => ({ status: 204 }));
  await postEvent(subscriber.url, { ...anEvent('e-1'), data: Buffer.alloc(0) });
  const [got] = subscriber.got;
  assert.deepEqual([got?.headers['content-length'], got?.headers['transfer-encoding']], ['0', undefined]);
});

test('connections are kept', async (t) => {
  const ports = new Set<unknown>();
  const subscriber = await startSubscriber(t, ({ headers }) => {
    ports.add(headers['connection']);
    return { status: 204 };
  });
  for (let n = 0; n < 3; n += 1) await postEvent(subscriber.url, anEvent(`e-${n}`));
  assert.deepEqual([...ports], ['keep-alive']);
});

suite('why there was no answer', () => {
  const rows: readonly [name: string, url: (t: TestContext) => Promise<string> | string, why: RegExp][] = [
    ['nobody listens', nobody, /^dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/],
    ['the server resets', (t) => saying(t, ''), /^(read: connection reset by peer|EOF)$/],
    ['the answer is cut off', (t) => saying(t, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi'), /^unexpected EOF$/],
    ['the answer is no HTTP', (t) => saying(t, 'hello there\r\n\r\n'), /^Parse Error/],
    ['the address is none', () => 'not an address', /Invalid URL/],
    ['the protocol is another', () => 'ftp://127.0.0.1/', /not supported/],
    ['the name is nobody’s', () => 'http://knudge.invalid/', /^dial tcp: lookup knudge\.invalid: no such host$/],
    ['an https address that speaks http', async (t) => (await saying(t, 'no')).replace('http:', 'https:'), /./],
  ];
  for (const [name, url, why] of rows) {
    test(name, async (t) => {
      const answer = await postEvent(await url(t), anEvent('e-1'), 5000);
      assert.equal(answer.kind, 'failed');
      if (answer.kind === 'failed') assert.match(answer.why, why);
    });
  }

  test('a header that is none is not sent', async (t) => {
    const subscriber = await startSubscriber(t, () => ({ status: 204 }));
    const answer = await postEvent(subscriber.url, { ...anEvent('e-1'), contentType: 'a\nb' });
    assert.equal(answer.kind, 'failed');
    assert.equal(subscriber.got.length, 0);
  });

  test('the time is over', async (t) => {
    const subscriber = await startSubscriber(t, () => undefined);
    const answer = await postEvent(subscriber.url, anEvent('e-1'), 20);
    assert.deepEqual(answer, { kind: 'failed', why: 'context deadline exceeded' });
  });
});

test('any attribute survives a header', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
  fc.assert(
    fc.property(text, (value) => {
      const header = encodeHeaderValue(value);
      return /^[\x21-\x7e]*$/.test(header) && decodeHeaderValue(header) === value;
    }),
  );
});
