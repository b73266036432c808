import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { faultOf, faultOfBody, lateAlone, longestMs } from './fuzz.ts';
import { malformedEvents } from './malformed.ts';
import { mutator } from './mutate.ts';
import { parseAnswer } from './parse-answer.ts';
import { seeded } from './random.ts';
import { readRecordings, requestOf } from './recordings.ts';

const recordings = readRecordings();

function some(seed: number, count: number): readonly Buffer[] {
  const next = mutator(seeded(seed), recordings);
  return Array.from({ length: count }, next);
}

test('there are at least 500 malformed events, each one once, with a name of its own', () => {
  const rows = malformedEvents();
  assert.ok(rows.length >= 500, String(rows.length));
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
  assert.equal(new Set(rows.map(({ bytes }) => bytes.toString('base64'))).size, rows.length);
  assert.deepEqual(
    rows.filter(({ status }) => ![400, 405, 413, 415].includes(status)),
    [],
  );
});

test('a seed decides every byte of a fuzzed event, and another seed gives others', () => {
  const first = Buffer.concat(some(1, 300));
  assert.ok(first.equals(Buffer.concat(some(1, 300))));
  assert.ok(!first.equals(Buffer.concat(some(2, 300))));
});

test('nearly every fuzzed event is damaged, and its length is told rightly', () => {
  const sound = new Set(recordings.map(({ headers, body }) => requestOf(headers, body).toString('base64')));
  const events = some(3, 2000);
  const same = events.filter((bytes) => sound.has(bytes.toString('base64')));
  assert.ok(same.length < 40, `${same.length} of ${events.length} are sound`);
  for (const bytes of events) {
    const told = Number(/^content-length: (\d+)/m.exec(bytes.toString('latin1', 0, 200))?.[1]);
    assert.ok(told > 0 || bytes.subarray(-4).toString() === '\r\n\r\n');
    assert.equal(bytes.subarray(bytes.length - told - 4, bytes.length - told).toString(), '\r\n\r\n');
  }
});

test('numbers of a seed stay below their end and reach all of it', () => {
  const random = seeded(7);
  const seen = new Set(Array.from({ length: 500 }, () => random.below(10)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.throws(() => random.oneOf([]), /nothing to choose/);
});

test('an answer is read when it is whole, with its length', () => {
  const whole = Buffer.from('HTTP/1.1 400 Bad\r\nContent-Length: 2\r\n\r\n{}rest');
  assert.deepEqual(parseAnswer(whole), {
    status: 400,
    head: 'http/1.1 400 bad\r\ncontent-length: 2',
    body: '{}',
    length: 41,
  });
  assert.equal(parseAnswer(whole.subarray(0, 40)), undefined);
  assert.equal(parseAnswer(whole.subarray(0, 20)), undefined);
  assert.equal(parseAnswer(Buffer.from('HTTP/1.1 204 No\r\n\r\n'))?.status, 204);
  const chunked = 'HTTP/1.1 400 Bad\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n';
  assert.equal(parseAnswer(Buffer.from(chunked)), undefined);
  assert.equal(parseAnswer(Buffer.from(`${chunked}0\r\n\r\n`))?.length, chunked.length + 5);
  assert.equal(parseAnswer(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${whole.toString()}`))?.length, 66);
});

test('an answer is faulty by its status, a body in a 204, a long body, or one that is not ours', () => {
  const heard = { head: 'http/1.1', ms: 1 };
  const body = JSON.stringify({ code: 'invalid-event', message: 'no' });
  assert.equal(faultOf({ ...heard, status: 400, body }), undefined);
  assert.equal(faultOf({ ...heard, status: 204, body: '' }), undefined);
  for (const status of [200, 404, 409, 500, 503])
    assert.match(faultOf({ ...heard, status, body }) ?? '', /the answer is/);
  assert.match(faultOf({ ...heard, status: 204, body }) ?? '', /a body in a 204/);
  assert.match(faultOf({ head: 'x\r\ntransfer-encoding: chunked', ms: 1, status: 400, body }) ?? '', /in pieces/);
  assert.match(faultOfBody(JSON.stringify({ code: 'x', message: 'y'.repeat(600) })) ?? '', /a body of/);
  assert.match(faultOfBody('{}') ?? '', /without code/);
  assert.match(faultOfBody('no') ?? '', /no JSON/);
});

test('what is late alone is found: also what waits, and what ends is asked as it was', async (context) => {
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n';
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', (bytes) => {
      if (bytes.includes('fast')) socket.write(answer);
      else if (bytes.includes('waits')) setTimeout(() => socket.write(answer), 10 * longestMs);
      else socket.once('end', () => socket.end(answer));
    });
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const late = [{ bytes: 'fast' }, { bytes: 'waits' }, { bytes: 'is cut off', ends: true as const }].map((one) => ({
    ...one,
    bytes: Buffer.from(one.bytes),
    ms: 1000,
  }));
  // No process has this number: the server is in this process, whose waiting counts already.
  const found = await lateAlone({ port, pid: 0 }, late);
  assert.equal(found.length, 1);
  assert.match(found[0] ?? '', new RegExp(`^\\d+ ms: .* ${Buffer.from('waits').toString('base64')}$`));
});
