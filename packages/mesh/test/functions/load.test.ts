import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { eventually, startAwake, startStub } from './build.ts';

test('containerConcurrency is never exceeded: the rest waits', async (context) => {
  const stub = await startStub(context, { containerConcurrency: 2, maxScale: 1 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => stub.ask('/sleep?ms=30')));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(Math.max(...answers.map(({ text }) => Number(text.split(' ')[1]))), 2);
  assert.equal(stub.of('woke').length, 1);
});

test('under load there are more instances, each takes its part, and they all leave', async (context) => {
  const stub = await startStub(context, { containerConcurrency: 2, maxScale: 2, idleSeconds: 0.2 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => stub.ask('/sleep?ms=400')));
  const pids = answers.map(({ text }) => text.split(' ')[0]);
  assert.equal(new Set(pids).size, 2);
  assert.deepEqual(
    stub.of('woke').map(({ pids }) => pids.length),
    [1, 2],
  );
  await eventually('both asleep', () => stub.of('slept').length === 2);
  assert.equal(stub.of('slept')[1]?.pids.length, 0);
});

test('waiting in the queue counts against timeoutSeconds', async (context) => {
  const stub = await startAwake(context, { containerConcurrency: 1, maxScale: 1, timeoutSeconds: 1 });
  const answers = await Promise.all(Array.from({ length: 3 }, () => stub.ask('/sleep?ms=700')));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 504, 504]);
  const late = answers.find(({ status }) => status === 504);
  assert.equal(late?.text, 'activator request timeout');
  assert.match(late?.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal((await stub.ask('/')).status, 201, 'the instance lives on');
});

test('an answer that had begun when the time was over gets the text appended', async (context) => {
  const stub = await startAwake(context, { timeoutSeconds: 1 });
  const { status, text } = await stub.ask('/begin');
  assert.deepEqual({ status, text }, { status: 200, text: 'begun, activator request timeout' });
});

test('a caller that leaves while it waits takes no place', async (context) => {
  const stub = await startAwake(context, { containerConcurrency: 1, maxScale: 1 });
  const busy = stub.ask('/sleep?ms=600');
  await assert.rejects(stub.ask('/gone', { signal: AbortSignal.timeout(200) }));
  await busy;
  await stub.ask('/after');
  await eventually('its line', () => stub.of('said').some(({ line }) => line.includes('/after')));
  assert.equal(
    stub.of('said').some(({ line }) => line.includes('/gone')),
    false,
  );
});

test('the function sees a caller leave', async (context) => {
  const stub = await startAwake(context);
  await assert.rejects(stub.ask('/sleep?ms=5000', { signal: AbortSignal.timeout(50) }));
  await eventually('its line', () => stub.of('said').some(({ line }) => line === 'closed /sleep?ms=5000 unanswered'));
});

test('who sends on after a refusal is heard out, and keeps the connection', async (context) => {
  const stub = await startAwake(context);
  const sent = request(`${stub.url}/refuse`, { method: 'POST' });
  sent.on('error', () => undefined);
  const flushed = once(sent, 'finish');
  sent.end('x'.repeat(16 * 1024 * 1024));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await flushed;
  assert.equal(answer.statusCode, 413);
});

test('a body that is refused before it has arrived ends in the refusal', async (context) => {
  const stub = await startAwake(context);
  const { status, text } = await stub.ask('/refuse', { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) });
  assert.deepEqual({ status, text }, { status: 413, text: 'too large' });
});
