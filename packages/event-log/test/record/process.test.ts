import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { functions, services } from '../../../../functions/table.ts';
import { recorded } from '../../../../test/build/event.ts';
import { until } from '../../../../test/kube/until.ts';
import type { DeadLetter, RecordedEvent } from '../../../controller/domain/event-log.ts';
import { serve } from '../../../controller/test/cluster/loopback.ts';
import { runLogFunctions } from '../../../start/main.ts';
import { openSqlite } from '../../store/sqlite.ts';

const own = services['event-log'].map((stem) => ({ stem, ...functions[stem] }));

/** The process of the event log, with a file of its own. */
async function run(context: TestContext, env: Readonly<Record<string, string>> = {}, rows = own): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-record-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const all = { PORT: '0', LOG_LEVEL: 'silent', EVENT_LOG: join(dir, 'events.db'), ...env };
  const server = await runLogFunctions('event-log', rows, all);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function post(url: string, name: string): Promise<number> {
  const { headers, body } = recorded(name);
  return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}

/** A machine that is too busy to do it in half a second says 503: then it comes again, as from a Broker. */
async function keep(url: string, name: string): Promise<void> {
  await until(`${name} is kept`, async () => (await post(url, name)) === 204);
}

async function get<Value>(url: string): Promise<Value> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  return (await answer.json()) as Value;
}

test('one process records events and dead letters, each at its path, and shows both', async (context) => {
  const url = await run(context);
  await keep(`${url}/event-recorded`, 'event-recorded/pod-update-through-broker');
  await keep(`${url}/dead-lettered`, 'dead-lettered/broker-deadletter-after-retries-500');
  const { events } = await get<{ events: RecordedEvent[] }>(`${url}/events?kind=Pod`);
  assert.equal(events.length, 1);
  assert.equal(
    Object.keys(events[0]?.extensions ?? {}).some((name) => name.startsWith('knative')),
    false,
  );
  const { deadLetters } = await get<{ deadLetters: DeadLetter[] }>(`${url}/dead-letters`);
  assert.deepEqual(
    deadLetters.map(({ destination, status, said, state }) => [destination, status, said, state]),
    [['http://198.19.1.1:19000/refusing', 500, 'function says 500', 'open']],
  );
  assert.equal((await fetch(`${url}/health/readiness`)).status, 200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /^knudge_dead_letters\{state="open"\} 1$/m);
  for (const { stem } of own) assert.ok(metrics.includes(`knudge_events_total{function="${stem}",outcome="done"} 1`));
});

test('an event that comes to a path that is none, or that is none, is refused and not retried', async (context) => {
  const url = await run(context);
  assert.equal(await post(`${url}/`, 'pod-changed/pod-add'), 400);
  assert.equal(await post(`${url}/other`, 'pod-changed/pod-add'), 400);
  assert.equal((await fetch(`${url}/event-recorded`, { method: 'POST', body: 'nonsense' })).status, 400);
  assert.equal((await fetch(`${url}/dead-letters/1/retry`, { method: 'POST' })).status, 403);
});

test('a function that is alone takes its events where every function does', async (context) => {
  const [recording] = own;
  const url = await run(context, {}, recording === undefined ? [] : [recording]);
  await keep(url, 'pod-changed/pod-add');
  assert.equal((await get<{ events: unknown[] }>(`${url}/events`)).events.length, 1);
});

test('a dead letter is sent to the Broker again; without a Broker that is said', async (context) => {
  const broker = await serve(context, () => ({ status: 202, body: '' }));
  const headers = { 'content-type': 'application/json' };
  for (const [env, wanted] of [
    [{}, 400],
    [{ K_SINK: broker.url }, 200],
  ] as const) {
    const url = await run(context, env);
    await keep(`${url}/dead-lettered`, 'dead-lettered/broker-deadletter-after-400');
    assert.equal((await fetch(`${url}/dead-letters/1/retry`, { method: 'POST', headers })).status, wanted);
  }
  assert.deepEqual(
    broker.seen.map((one) => one.headers['ce-knudgereplay']),
    ['true'],
  );
});

test('who sends a dead letter again waits for the Broker, however shortly an event may be worked on', async (context) => {
  // It answers when a function that slept has started and has done its work.
  const broker = await serve(context, async () => {
    await sleep(700);
    return { status: 202, body: '' };
  });
  const url = await run(context, { K_SINK: broker.url, HANDLER_DEADLINE_SECONDS: '1' });
  await keep(`${url}/dead-lettered`, 'dead-lettered/broker-deadletter-after-400');
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(`${url}/dead-letters/1/retry`, { method: 'POST', headers })).status, 200);
});

test('a file that another process holds is answered 503 and counted', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-record-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'events.db');
  const url = await run(context, { EVENT_LOG: file });
  // The process gives a sign of life when it starts.
  const other = new DatabaseSync(file, { timeout: 5000 });
  other.exec('BEGIN IMMEDIATE');
  assert.equal(await post(`${url}/event-recorded`, 'pod-changed/pod-add'), 503);
  assert.equal(await post(`${url}/dead-lettered`, 'dead-lettered/broker-deadletter-after-400'), 503);
  other.exec('ROLLBACK');
  other.close();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /knudge_event_log_dropped_total\{what="event"\} 1/);
  assert.match(metrics, /knudge_event_log_dropped_total\{what="dead-letter"\} 1/);
});

test('a log that nobody wrote for too long lists a gap when it starts, but for one that may sleep', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-record-'));
  context.after(() => rmSync(dir, { recursive: true }));
  for (const [EVENT_LOG_SLEEPS, wanted] of [
    ['false', 1],
    ['true', 0],
  ] as const) {
    const file = join(dir, `${EVENT_LOG_SLEEPS}.db`);
    const log = await openSqlite(file);
    const at = Date.now() - 600_000;
    await log.sign({ at, isLast: true, sleeps: false });
    await log.close();
    const url = await run(context, { EVENT_LOG: file, EVENT_LOG_SLEEPS });
    await keep(`${url}/event-recorded`, 'pod-changed/pod-add');
    const { gaps } = await get<{ gaps: readonly { readonly from: string; readonly events?: number }[] }>(`${url}/gaps`);
    assert.equal(gaps.length, wanted);
    for (const { from, events } of gaps) assert.deepEqual([Date.parse(from), events], [at - 30_000, undefined]);
  }
});

test('in a cluster nobody reads without a token, whatever machine it is', async (context) => {
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '9' };
  const url = await run(context, env);
  assert.equal((await fetch(`${url}/events`)).status, 401);
  const [headers, began] = [{ authorization: 'Bearer t' }, performance.now()];
  // The API server is away.
  assert.ok((await fetch(`${url}/events`, { headers })).status >= 500);
  assert.ok(performance.now() - began < 10_000);
});

test('what a newer Knudge wrote keeps the process from starting', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-record-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'events.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  await assert.rejects(runLogFunctions('event-log', own, { PORT: '0', EVENT_LOG: file }), /a newer one wrote it/);
});
