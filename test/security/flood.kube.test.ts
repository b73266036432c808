import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { postEvent } from '../kube/post.ts';

const replays = Number(process.env['REPLAYS'] || 10_000);
const senders = 40;
/** Milliseconds that a machine with other work may take at times, with or without a flood. */
const noise = 2000;

let arena: Arena;
let url: string;

before(async () => {
  arena = await openArena({ stems: ['message-changed'], withSource: false });
  url = arena.functions.of('message-changed').url;
});
after(() => arena.close());

/** Requests of the function to the API server so far. */
async function requests(): Promise<{ readonly reads: number; readonly writes: number }> {
  const counts = { reads: 0, writes: 0 };
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const [, verb, count] of text.matchAll(/^knudge_api_requests_total\{verb="(\w+)".*\} (\d+)$/gm))
    counts[verb === 'get' || verb === 'list' ? 'reads' : 'writes'] += Number(count);
  return counts;
}

/** Milliseconds from the event of a new Message to the answer, which comes when its Pod is made. */
async function timesOf(namespace: string, prefix: string, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const stored = await arena.put(message(`${prefix}-${index}`, 'x', { namespace }));
    const began = performance.now();
    const { status } = await postEvent(url, stored);
    times.push(performance.now() - began);
    assert.equal(status, 204);
  }
  return times.toSorted((one, other) => one - other);
}

const p99 = (times: readonly number[]): number => times[Math.ceil(times.length * 0.99) - 1] ?? 0;

/** Does work over and over, this many times at once, beside something else, and ends with it: also where either fails. */
async function beside<Result>(work: () => Promise<void>, times: number, use: () => Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) await work();
  };
  const loops = Promise.all(Array.from({ length: times }, loop)).finally(() => over.abort());
  const [used, worked] = await Promise.allSettled([use().finally(() => over.abort()), loops]);
  if (used.status === 'rejected') throw used.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return used.value;
}

/** Sends events about one object from many senders: `replays` of them, or as many as fit beside something else. */
function flood(about: KubeObject) {
  const statuses = new Set<number>();
  let sent = 0;
  const send = async (): Promise<void> => {
    sent += 1;
    statuses.add((await postEvent(url, about)).status);
  };
  const sendAll = async (): Promise<void> => {
    while (sent < replays) await send();
  };
  return {
    statuses,
    sent: () => sent,
    all: () => Promise.all(Array.from({ length: senders }, sendAll)),
    beside: <Result>(use: () => Promise<Result>) => beside(send, senders, use),
  };
}

test(`S10: ${replays} replays of one event write nothing, share their reads, and starve nobody`, async (context) => {
  const [tenant, other] = [await arena.namespace('flood'), await arena.namespace('calm')];
  const flooded = await arena.put(message('flooded', 'x', { namespace: tenant }));
  await arena.settled(flooded);
  await timesOf(other, 'warm', 5);
  const idle = await timesOf(other, 'idle', 50);
  const before = await requests();
  const storm = flood(flooded);
  await storm.all();
  const after = await requests();
  assert.equal(storm.sent(), replays);
  assert.deepEqual([...storm.statuses], [204]);
  assert.equal(after.writes - before.writes, 0);
  const reads = after.reads - before.reads;
  assert.ok(reads < replays / 2, `${reads} reads`);
  const again = flood(flooded);
  const busy = await again.beside(() => timesOf(other, 'busy', 50));
  assert.ok(again.sent() > 50, `${again.sent()} replays meanwhile`);
  const text = `a new Message of somebody else, p99 ${p99(busy).toFixed(0)} ms beside them, ${p99(idle).toFixed(0)} ms alone`;
  assert.ok(p99(busy) <= 2 * p99(idle) + noise, text);
  context.diagnostic(`counted: ${replays} replays, 0 writes, ${reads} reads; ${text}`);
});

test('S18: a tenant whose spec changes as fast as the API server takes it slows nobody else, and costs no more writes than changes', async (context) => {
  const [tenant, other] = [await arena.namespace('flap'), await arena.namespace('still')];
  const idle = await timesOf(other, 'idle', 50);
  const before = await requests();
  let changes = 0;
  const began = performance.now();
  const waiting: Promise<unknown>[] = [];
  const flap = async (): Promise<void> => {
    changes += 1;
    const changed = await arena.put(message('flapping', `text ${changes}`, { namespace: tenant }));
    // The next change waits for no answer. One that never comes is reported below.
    const answer = postEvent(url, changed);
    answer.catch(() => undefined);
    waiting.push(answer);
  };
  const busy = await beside(flap, 4, () => timesOf(other, 'busy', 50));
  const rate = (changes / (performance.now() - began)) * 1000;
  await Promise.all(waiting);
  const { writes } = await requests();
  const own = writes - before.writes - 3 * busy.length;
  const text = `p99 ${p99(busy).toFixed(0)} ms beside it, ${p99(idle).toFixed(0)} ms alone`;
  context.diagnostic(
    `counted: ${changes} changes of one Message, ${rate.toFixed(0)} a second, made ${own} writes; a new Message of somebody else: ${text}`,
  );
  assert.ok(changes > 50, `${changes} changes`);
  assert.ok(own <= 5 * changes, `${own} writes for ${changes} changes`);
  assert.ok(p99(busy) <= 2 * p99(idle) + noise, text);
});
