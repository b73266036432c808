import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { encode } from '../../src/wire/encode.ts';
import { assertClean, canary, places, telling } from '../event-log/canary.ts';
import { until } from '../kube/until.ts';
import { serve } from '../kube-client/loopback.ts';

/** The process of the event log, which says all it can. */
async function start(context: TestContext, sink: string) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-canary-'));
  const env = { PORT: '0', LOG_LEVEL: 'trace', DEBUG_MODE: 'true', EVENT_LOG: join(dir, 'events.db'), K_SINK: sink };
  const child = spawn(process.execPath, ['tools/function.ts', 'event-log'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const port = (): string | undefined => /"port":(\d+)/.exec(said.join(''))?.[1];
  await until('the event log listens', async () => port() !== undefined || said.join(''), 60);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url: `http://127.0.0.1:${port() ?? ''}`, dir, log: () => said.join(''), stop };
}

/** Every event and dead letter with the canary in it; gives how many of each. */
async function plant(url: string): Promise<number> {
  const about = { apiversion: 'v1', namespace: 'shop', name: 'key' };
  const events = [
    ...places.map(([, data, kind]) => ({ extensions: { ...about, ...(kind && { kind }) }, data })),
    ...telling.map(([name, value]) => ({ extensions: { ...about, [name]: value }, data: null })),
  ];
  for (const [at, { extensions, data }] of events.entries()) {
    const event = { id: `c-${at}`, type: 'a.b.update', source: '/s', time: '2026-01-02T03:04:05Z', extensions, data };
    const { headers, body } = encode(event);
    for (const path of ['event-recorded', 'dead-lettered']) {
      await until(`${path} keeps ${JSON.stringify(data).slice(0, 80)}`, async () => {
        const { status } = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
        return status === 204 || status;
      });
    }
  }
  return events.length;
}

test('a canary in each place of a Secret comes out nowhere: file, answers, log, metrics, what is sent again', async (context) => {
  const broker = await serve(context, () => ({ status: 202, body: '' }));
  const { url, dir, log, stop } = await start(context, broker.url);
  const count = await plant(url);
  const lines = async (list: string): Promise<string[]> =>
    (await (await fetch(`${url}/${list}?format=ndjson&limit=1000`)).text()).trim().split('\n');
  const texts: string[] = [];
  for (const list of ['events', 'dead-letters']) {
    const found = await lines(list);
    assert.equal(found.length, count, list);
    texts.push(...found, await (await fetch(`${url}/${list}?limit=1000`)).text());
  }
  const headers = { 'content-type': 'application/json' };
  for (const line of await lines('dead-letters')) {
    const { seq } = JSON.parse(line) as { seq: number };
    const answer = await fetch(`${url}/dead-letters/${seq}/retry`, { method: 'POST', headers });
    assert.equal(answer.status, 200);
    texts.push(await answer.text());
  }
  for (let seq = 1; seq <= count; seq += 1) texts.push(await (await fetch(`${url}/events/${seq}`)).text());
  assert.equal(broker.seen.length, count);
  texts.push(...broker.seen.map((one) => JSON.stringify(one)));
  texts.push(await (await fetch(`${url}/metrics`)).text(), await (await fetch(`${url}/gaps`)).text());
  await stop();
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'));
  assert.ok(
    files.some((text) => text.includes('c-1')),
    'the file holds the events',
  );
  assert.ok(log().length > count * 100, 'it says something of each');
  for (const text of [...texts, ...files, log()]) assertClean(text);
  assert.throws(() => assertClean(`x${canary}`));
  context.diagnostic(
    `counted: ${count} places, each as an event and as a dead letter: ${texts.length} answers and ${files.length} files without a trace`,
  );
});
