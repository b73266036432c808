import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { postEvent } from '../kube/post.ts';

const replays = Number(process.env['REPLAYS'] || 10_000);
const senders = 40;
/** Milliseconds that a machine with other work may take at times, whoever floods. */
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

/** Sends events about one object from many senders until told to stop, or so often. */
function flood(about: KubeObject, most: number) {
  const state = { sent: 0, isOver: false };
  const statuses = new Set<number>();
  const work = async (): Promise<void> => {
    while (!state.isOver && state.sent < most) {
      state.sent += 1;
      statuses.add((await postEvent(url, about)).status);
    }
  };
  const done = Promise.all(Array.from({ length: senders }, work));
  const stop = async (): Promise<void> => {
    state.isOver = true;
    await done;
  };
  return { state, statuses, done, stop };
}

test(`S10: ${replays} replays of one event write nothing, share their reads, and starve nobody`, async (context) => {
  const [tenant, other] = [await arena.namespace('flood'), await arena.namespace('calm')];
  const flooded = await arena.put(message('flooded', 'x', { namespace: tenant }));
  await arena.settled(flooded);
  await timesOf(other, 'warm', 5);
  const idle = await timesOf(other, 'idle', 50);
  const before = await requests();
  const storm = flood(flooded, replays);
  await storm.done;
  const after = await requests();
  assert.equal(storm.state.sent, replays);
  assert.deepEqual([...storm.statuses], [204]);
  assert.equal(after.writes - before.writes, 0);
  const reads = after.reads - before.reads;
  assert.ok(reads < replays / 2, `${reads} reads`);
  const again = flood(flooded, Number.POSITIVE_INFINITY);
  const busy = await timesOf(other, 'busy', 50);
  await again.stop();
  assert.ok(again.state.sent > 50, `${again.state.sent} replays meanwhile`);
  const text = `a new Message of somebody else, p99 ${p99(busy).toFixed(0)} ms beside them, ${p99(idle).toFixed(0)} ms alone`;
  assert.ok(p99(busy) <= 2 * p99(idle) + noise, text);
  context.diagnostic(`counted: ${replays} replays, 0 writes, ${reads} reads; ${text}`);
});

test('S18: a tenant whose spec changes as fast as the API server takes it slows nobody else, and costs no more writes than changes', async (context) => {
  const [tenant, other] = [await arena.namespace('flap'), await arena.namespace('still')];
  const idle = await timesOf(other, 'idle', 50);
  const before = await requests();
  let changes = 0;
  let isOver = false;
  const began = performance.now();
  const waiting: Promise<unknown>[] = [];
  const flap = async (): Promise<void> => {
    while (!isOver) {
      changes += 1;
      waiting.push(postEvent(url, await arena.put(message('flapping', `text ${changes}`, { namespace: tenant }))));
    }
  };
  const flapping = Promise.all([flap(), flap(), flap(), flap()]);
  const busy = await timesOf(other, 'busy', 50);
  isOver = true;
  await flapping;
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
