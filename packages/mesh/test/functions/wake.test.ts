import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFunctions } from '../../functions/functions.ts';
import { eventually, functionSpec, isAlive, startStub } from './build.ts';

test('the first request starts an instance and is answered by it; the next finds it awake', async (context) => {
  const stub = await startStub(context);
  assert.equal(stub.hops.length, 0, 'nothing runs before somebody asks');
  const first = await stub.ask('/any?x=1', { method: 'PUT', body: 'hello', headers: { 'ce-id': '7' } });
  const { method, url, headers, body } = JSON.parse(first.text);
  assert.deepEqual(
    { status: first.status, method, url, body },
    { status: 201, method: 'PUT', url: '/any?x=1', body: 'hello' },
  );
  assert.equal(headers['ce-id'], '7');
  assert.equal(headers['k-proxy-request'], 'activator');
  assert.equal(headers['host'], stub.url.slice('http://'.length), 'as the caller wrote it');
  assert.equal(first.headers.get('x-twice'), 'a, b');
  assert.match(first.headers.get('knudge-cold-ms') ?? '', /^\d+$/);
  const second = await stub.ask('/');
  assert.equal(second.headers.has('knudge-cold-ms'), false);
  assert.equal(stub.of('woke').length, 1);
  assert.equal(stub.of('woke')[0]?.pids.length, 1);
});

test('a page of another origin starts nothing', async (context) => {
  const stub = await startStub(context);
  const { status, text } = await stub.ask('/', { method: 'POST', headers: { origin: 'http://evil.example' } });
  assert.equal(status, 403);
  assert.match(text, /^the Origin is another one/);
  assert.equal(stub.hops.length, 0);
});

test('it sees what Knative gives a function, the mesh and its manifest', async (context) => {
  const stub = await startStub(context, { env: { FROM: 'the manifest', MORE: 'yes' } });
  const environment = JSON.parse((await stub.ask('/environment')).text);
  const { K_SERVICE, K_CONFIGURATION, K_REVISION, FROM, MORE } = environment;
  assert.deepEqual(
    { K_SERVICE, K_CONFIGURATION, K_REVISION, FROM, MORE },
    { K_SERVICE: 'stub', K_CONFIGURATION: 'stub', K_REVISION: 'stub-00001', FROM: 'the manifest', MORE: 'yes' },
  );
});

test('what it logs is told line by line', async (context) => {
  const stub = await startStub(context);
  await stub.ask('/a');
  await eventually('its line', () => stub.of('said').some(({ line }) => line === 'closed /a answered'));
});

test('requests that arrive while it starts wait for it and share it', async (context) => {
  const stub = await startStub(context);
  const answers = await Promise.all(Array.from({ length: 7 }, () => stub.ask('/')));
  assert.equal(new Set(answers.map(({ text }) => JSON.parse(text).pid)).size, 1);
});

test('without a request for the idle time it sleeps, and the next request wakes it again', async (context) => {
  const stub = await startStub(context, { idleSeconds: 0.15 });
  const { pid } = JSON.parse((await stub.ask('/')).text);
  await stub.ask('/sleep?ms=300');
  assert.equal(stub.of('slept').length, 0, 'not while it works');
  await eventually('asleep', () => stub.of('slept').length === 1);
  assert.equal(isAlive(pid), false);
  assert.equal((await stub.ask('/')).status, 201);
  assert.equal(stub.of('woke').length, 2);
  assert.equal(stub.of('crashed').length, 0);
});

test('min-scale keeps one awake, before the first request and after the last', async (context) => {
  const stub = await startStub(context, { minScale: 1, idleSeconds: 0.05 });
  await eventually('awake', () => stub.of('woke').length === 1);
  await stub.ask('/');
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(stub.of('slept').length, 0);
});

test('a taken port is told, and nothing stays open', async (context) => {
  const stub = await startStub(context);
  const taken = Number(new URL(stub.url).port);
  const parts = { command: () => [], env: {}, report: () => undefined };
  const ports = { a: 0, b: taken };
  const specs = [functionSpec({ name: 'a' }), functionSpec({ name: 'b' })];
  await assert.rejects(createFunctions(specs, { ...parts, port: (name) => ports[name as 'a' | 'b'] }), {
    code: 'EADDRINUSE',
  });
});
