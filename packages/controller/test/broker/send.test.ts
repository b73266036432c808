import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSender } from '../../broker/send.ts';
import type { Outgoing } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type Reply, serve } from '../cluster/loopback.ts';

const event: Outgoing = {
  id: 'one',
  type: 'dev.knudge.resync.requested',
  source: '/knudge/resync-due',
  time: '2026-01-01T00:00:00Z',
  extensions: { kind: 'Message' },
};
const taken: Reply = { status: 202, body: '' };

/** A sender that notes its waits and does not wait. */
function senderTo(t: TestContext, sink: string, timeoutMs = 2000) {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const sender = createSender({ sink, timeoutMs, sleep });
  t.after(() => sender.close());
  return { sender, waits };
}

async function errorOf(work: Promise<unknown>): Promise<KnudgeError> {
  const error: unknown = await work.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof KnudgeError, String(error));
  return error;
}

test('an event goes out once, in binary mode, to the path of the Broker', async (t) => {
  const broker = await serve(t, () => taken);
  await senderTo(t, `${broker.url}/knudge/knudge`).sender.send({ ...event, data: { a: 1 } });
  assert.deepEqual(
    broker.seen.map(({ method, url, body }) => [method, url, body]),
    [['POST', '/knudge/knudge', '{"a":1}']],
  );
  const { headers } = broker.seen[0] ?? {};
  assert.equal(headers?.['ce-id'], 'one');
  assert.equal(headers?.['content-length'], '7');
});

test('connections are used again', async (t) => {
  const broker = await serve(t, () => ({ status: 200, body: 'taken' }));
  const { sender } = senderTo(t, broker.url);
  for (let sent = 0; sent < 20; sent += 1) await sender.send(event);
  assert.equal(broker.connections(), 1);
});

test('however many are sent at once, few connections are opened', async (t) => {
  const broker = await serve(t, () => taken);
  const { sender } = senderTo(t, broker.url);
  await Promise.all(Array.from({ length: 100 }, () => sender.send(event)));
  assert.equal(broker.seen.length, 100);
  assert.ok(broker.connections() <= 16, String(broker.connections()));
});

for (const status of [404, 408, 429, 500, 503]) {
  test(`${status} is tried again twice, with waits, and is then unavailable`, async (t) => {
    const broker = await serve(t, () => ({ status }));
    const { sender, waits } = senderTo(t, broker.url);
    const error = await errorOf(sender.send(event));
    assert.deepEqual([error.code, waits, broker.seen.length], ['unavailable', [100, 400], 3]);
    assert.ok(error.message.includes(String(status)));
  });
}

for (const [status, code] of [
  [301, 'unexpected-answer'],
  [403, 'unexpected-answer'],
  [400, 'invalid-event'],
  [413, 'too-large'],
  [431, 'too-large'],
  [415, 'unsupported-media-type'],
] as const) {
  test(`${status} is not tried again: it would be the same`, async (t) => {
    const broker = await serve(t, () => ({ status }));
    const error = await errorOf(senderTo(t, broker.url).sender.send(event));
    assert.deepEqual([error.code, broker.seen.length], [code, 1]);
  });
}

test('a Broker that is back in time gets the event', async (t) => {
  const broker = await serve(t, (_, response, count) => {
    if (count === 1) response.destroy();
    return count === 2 ? { status: 503 } : taken;
  });
  await senderTo(t, broker.url).sender.send(event);
  assert.equal(broker.seen.length, 3);
});

test('an answer that breaks off is tried again: an event may come twice', async (t) => {
  const broker = await serve(t, (_, response, count) => {
    if (count > 1) return taken;
    response.writeHead(202, { 'content-length': '10' });
    response.write('half');
    setImmediate(() => response.destroy());
    return undefined;
  });
  await senderTo(t, broker.url).sender.send(event);
  assert.equal(broker.seen.length, 2);
});

test('a Broker that cannot be reached is unavailable, with the reason', async (t) => {
  const error = await errorOf(senderTo(t, 'http://127.0.0.1:9/').sender.send(event));
  assert.equal(error.code, 'unavailable');
  assert.match(error.message, /cannot be reached: .*ECONNREFUSED/);
  const secure = await errorOf(senderTo(t, 'https://127.0.0.1:9/').sender.send(event));
  assert.equal(secure.code, 'unavailable');
});

test('silence ends at the time-out, with its connection, and is not tried again', { timeout: 5000 }, async (t) => {
  const { promise: hungUp, resolve } = Promise.withResolvers<void>();
  const broker = await serve(t, (_, response) => {
    response.once('close', resolve);
    return undefined;
  });
  const error = await errorOf(senderTo(t, broker.url, 100).sender.send(event));
  assert.deepEqual([error.code, broker.seen.length], ['unavailable', 1]);
  assert.match(error.message, /within 100 ms/);
  await hungUp;
});

test('no wait goes beyond the time-out, and a real wait is as long as it says', async (t) => {
  const broker = await serve(t, () => ({ status: 503 }));
  const sender = createSender({ sink: broker.url, timeoutMs: 300 });
  t.after(() => sender.close());
  const began = performance.now();
  await errorOf(sender.send(event));
  assert.equal(broker.seen.length, 2);
  assert.ok(performance.now() - began >= 99);
});

test('no more events begin in a second than it may send', async (t) => {
  const broker = await serve(t, () => ({ status: 202 }));
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const sender = createSender({ sink: broker.url, timeoutMs: 5000, perSecond: 100, sleep, now: () => 7 });
  t.after(() => sender.close());
  await Promise.all(Array.from({ length: 4 }, () => sender.send(event)));
  assert.deepEqual([slept, broker.seen.length], [[10, 20, 30], 4]);
});

test('the Broker is shown the token of a file, as it is at that moment', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-token-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  const broker = await serve(t, () => taken);
  const sender = createSender({ sink: broker.url, timeoutMs: 2000, tokenFile });
  t.after(() => sender.close());
  assert.match((await errorOf(sender.send(event))).message, /cannot be read from .*token: mount/);
  for (const token of ['first', 'second']) {
    writeFileSync(tokenFile, `${token}\n`);
    await sender.send(event);
  }
  assert.deepEqual(
    broker.seen.map(({ headers }) => headers.authorization),
    ['Bearer first', 'Bearer second'],
  );
});

for (const { status, token, says } of [
  {
    status: 401,
    token: undefined,
    says: /answered 401 to an event: it asks for a token, and was shown none, see "Tokens/,
  },
  { status: 401, token: 'bad', says: /answered 401 to an event: it does not take the token that it was shown, see/ },
  { status: 403, token: 'foreign', says: /answered 403 to an event: no EventPolicy of it lets this sender in, see/ },
]) {
  test(`a Broker that answers ${status} to ${token === undefined ? 'no' : `a ${token}`} token says what to do, once`, async (t) => {
    const broker = await serve(t, () => ({ status, body: '' }));
    const given = token === undefined ? {} : { token: async () => token };
    const sender = createSender({ sink: broker.url, timeoutMs: 2000, ...given });
    t.after(() => sender.close());
    const error = await errorOf(sender.send(event));
    assert.match(error.message, says);
    assert.deepEqual([error.code, broker.seen.length], ['unexpected-answer', 1]);
    assert.equal(broker.seen[0]?.headers.authorization, token && `Bearer ${token}`);
  });
}
