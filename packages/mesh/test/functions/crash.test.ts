import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, isAlive, startStub } from './build.ts';

test('an instance that is killed while it serves: 502 for what it had, and the next request starts another', async (context) => {
  const stub = await startStub(context);
  const other = stub.ask('/sleep?ms=5000');
  await stub.ask('/');
  const crash = await stub.ask('/crash');
  assert.deepEqual({ status: crash.status, text: crash.text }, { status: 502, text: 'EOF' });
  assert.equal((await other).status, 502);
  assert.equal((await stub.ask('/')).status, 201);
  await eventually('told', () => stub.of('crashed').length === 1);
  assert.match(stub.of('crashed')[0]?.why ?? '', /^was ended by SIGKILL/);
  assert.equal(stub.of('slept').length, 0);
});

test('one that leaves by itself has crashed too', async (context) => {
  const stub = await startStub(context);
  assert.equal((await stub.ask('/leave')).status, 502);
  await eventually('told', () => stub.of('crashed')[0]?.why.startsWith('ended with exit code 0') === true);
});

test('who waits in the queue of one that crashed is served by the next', async (context) => {
  const stub = await startStub(context, { containerConcurrency: 1, maxScale: 1 });
  const [crash, next] = await Promise.all([stub.ask('/crash'), stub.ask('/next')]);
  assert.deepEqual([crash.status, next.status], [502, 201]);
});

test('one that cannot start: requests are held until 504, and its last lines are told', async (context) => {
  const stub = await startStub(context, { env: { CRASH_UNLESS: '/nowhere' }, timeoutSeconds: 1.5 });
  const began = performance.now();
  const { status, text } = await stub.ask('/');
  assert.deepEqual({ status, text }, { status: 504, text: 'activator request timeout' });
  assert.ok(performance.now() - began >= 1490);
  await eventually('told', () => stub.of('crashed').length > 0);
  assert.equal(stub.of('crashed')[0]?.why, 'ended with exit code 3: the first reason | cannot go on');
});

test('what could not start and then can: those who waited are answered', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const stub = await startStub(context, { env: { CRASH_UNLESS: join(dir, 'healed') } });
  const held = stub.ask('/');
  await eventually('crashed', () => stub.of('crashed').length === 1);
  writeFileSync(join(dir, 'healed'), '');
  assert.equal((await held).status, 201);
});

test('at the end an instance gives the answers that it owes, then leaves', async (context) => {
  const stub = await startStub(context);
  const { pid } = JSON.parse((await stub.ask('/')).text);
  const owed = stub.ask('/sleep?ms=300');
  await eventually('under way', () => stub.of('said').some(({ line }) => line === 'began /sleep?ms=300'));
  await stub.close();
  assert.equal((await owed).status, 200);
  assert.equal(isAlive(pid), false);
  assert.equal(stub.of('crashed').length, 0);
  await assert.rejects(stub.ask('/'));
});

test('who does not leave is killed after the grace', async (context) => {
  const stub = await startStub(context, { env: { STUBBORN: 'yes' } });
  const { pid } = JSON.parse((await stub.ask('/')).text);
  await stub.close(100);
  assert.equal(isAlive(pid), false);
  assert.equal(stub.of('crashed').length, 0);
});

test('who waits at the end is let go', async (context) => {
  const stub = await startStub(context, { env: { CRASH_UNLESS: '/nowhere' } });
  const held = stub.ask('/');
  const refused = assert.rejects(held);
  await eventually('crashed', () => stub.of('crashed').length === 1);
  await stub.close();
  await refused;
});
