import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { afterEach, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { event } from '../../../../test/build/event.ts';
import { open, received, until } from './raw.ts';

const script = fileURLToPath(new URL('./shutdown-child.ts', import.meta.url));

interface Child {
  readonly process: ChildProcess;
  readonly port: number;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

/** Killed after each test: one that is still there would keep the runner from its end. */
const started: ChildProcess[] = [];

async function start(handlerMs: number, graceSeconds = 30): Promise<Child> {
  const env = { ...process.env, HANDLER_MS: String(handlerMs), SHUTDOWN_GRACE_SECONDS: String(graceSeconds) };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  await until(() => output.includes('"listening"'));
  const port = Number(/"port":(\d+)/.exec(output)?.[1]);
  return { process: child, port, output: () => output, exited };
}

interface Answered {
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

function post(port: number, agent?: Agent): Promise<Answered> {
  const { headers, body } = event();
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, ...(agent && { agent }) }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

suite('told to leave', () => {
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`by ${signal}: what is in flight is answered, new connections are refused, exit 0`, async () => {
      const child = await start(600);
      const answers = Promise.all([post(child.port), post(child.port)]);
      await until(() => child.output().split('"handling"').length === 3);
      child.process.kill(signal);
      await until(() => child.output().includes('no new connections'));
      await assert.rejects(post(child.port), { code: 'ECONNREFUSED' });
      assert.deepEqual(await answers, [
        { status: 204, connection: 'close' },
        { status: 204, connection: 'close' },
      ]);
      assert.equal(await child.exited, 0);
      assert.ok(child.output().includes('every answer is given'));
    });
  }

  test('with nothing to do: at once, although connections are kept alive', async () => {
    const child = await start(0);
    const agent = new Agent({ keepAlive: true });
    assert.equal((await post(child.port, agent)).connection, 'keep-alive');
    const told = performance.now();
    child.process.kill('SIGTERM');
    assert.equal(await child.exited, 0);
    assert.ok(performance.now() - told < 1000);
    agent.destroy();
  });

  test('with connections that never said a word, or half of one: within two seconds', async () => {
    const child = await start(0);
    const silent = await open(child.port);
    const slow = await open(child.port);
    slow.write('POST / HTTP/1.1\r\nHos');
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.process.kill('SIGTERM');
    const told = performance.now();
    assert.equal(await child.exited, 0);
    assert.ok(performance.now() - told < 2500);
    silent.destroy();
    slow.destroy();
  });

  test('and its grace is over: exit 1 with a line that says so', async () => {
    const child = await start(20_000, 1);
    const answer = assert.rejects(post(child.port));
    await until(() => child.output().includes('"handling"'));
    child.process.kill('SIGTERM');
    assert.equal(await child.exited, 1);
    assert.match(child.output(), /"owed":1.*the grace is over/);
    await answer;
  });

  test('a second signal changes nothing', async () => {
    const child = await start(500);
    const answer = post(child.port);
    await until(() => child.output().includes('"handling"'));
    child.process.kill('SIGTERM');
    await until(() => child.output().includes('no new connections'));
    child.process.kill('SIGINT');
    assert.equal((await answer).status, 204);
    assert.equal(await child.exited, 0);
  });

  test('a request that comes on an open connection while another is in flight still gets its answer', async () => {
    const child = await start(400);
    const socket = await open(child.port);
    const { headers, body } = event();
    const text = `POST / HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}Content-Length: ${body.length}\r\n\r\n${body.toString()}`;
    const first = post(child.port);
    socket.write(text.slice(0, 40));
    await until(() => child.output().includes('"handling"'));
    child.process.kill('SIGTERM');
    await until(() => child.output().includes('no new connections'));
    socket.write(text.slice(40));
    assert.match(await received(socket), /^HTTP\/1\.1 204 /);
    assert.equal((await first).status, 204);
    assert.equal(await child.exited, 0);
  });
});
