import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '../../packages/controller/wire/decode.ts';
import { type BuiltEvent, recorded } from '../build/event.ts';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { type Broker, startBroker } from './broker.ts';
import { pathOf } from './install.ts';
import { postRaw } from './post.ts';
import { until } from './until.ts';

let arena: Arena;
let broker: Broker;
const namespaces: string[] = [];
/** In each namespace; a page has 100 objects. */
const count = 200;
const tick = recorded('resync-due/pingsource-through-broker');

before(async () => {
  broker = await startBroker();
  const env = {
    K_SINK: broker.url,
    // Short, so that one invocation cannot do it all where the Broker is slow.
    HANDLER_DEADLINE_SECONDS: '3',
    // In megabytes: room for what is young grows by steps as big as the leak that is looked for. The inspector shows what is kept.
    NODE_OPTIONS: '--max-semi-space-size=2 --inspect=127.0.0.1:0',
  };
  arena = await openArena({
    withSource: false,
    stems: ['resync-due', 'message-changed'],
    env,
  });
  for (let index = 0; index < 3; index += 1) namespaces.push(await arena.namespace('resync'));
  const names = namespaces.flatMap((namespace) =>
    Array.from({ length: count }, (_, at) => ({ namespace, name: `m${at}` })),
  );
  const make = async (): Promise<void> => {
    for (let one = names.pop(); one !== undefined; one = names.pop()) {
      await arena.put(message(one.name, 'hi', { namespace: one.namespace }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, make));
});
after(async () => {
  for (const namespace of namespaces) await arena.api('DELETE', pathOf('myorg.dev/v1', 'Message', { namespace }));
  await arena.close();
  broker.close();
});

/** How often each Message of this test was asked after: other tests leave some behind. */
function announced(): ReadonlyMap<string, number> {
  const ours = broker.taken
    .map(({ extensions }) => `${extensions.get('namespace')}/${extensions.get('name')}`)
    .filter((key) => namespaces.some((namespace) => key.startsWith(`${namespace}/`)));
  return new Map([...new Set(ours)].map((key) => [key, ours.filter((other) => other === key).length]));
}

/** Posts a tick and then, as the Broker does, each event that is answered; gives how many invocations it took. */
async function round(first: BuiltEvent = tick): Promise<number> {
  broker.taken.splice(0);
  let next: BuiltEvent = first;
  for (let invocations = 1; ; invocations += 1) {
    const answer = await postRaw(arena.functions.of('resync-due').url, next);
    const body = Buffer.from(await answer.arrayBuffer());
    assert.ok(answer.status === 204 || answer.status === 200, `${answer.status} ${body.toString()}`);
    if (answer.status === 204) return invocations;
    const headers = Object.fromEntries(answer.headers);
    assert.equal(decode({ headers, body }).type, 'dev.knudge.resync.due');
    next = {
      headers: Object.fromEntries([...answer.headers].filter(([name]) => /^ce-|^content-type$/.test(name))),
      body,
    };
  }
}

/** What the function keeps when all that it needs no more is collected: how large a heap is by then is a matter of chance. */
async function keptKb(): Promise<{ readonly heap: number; readonly resident: number }> {
  const { process: running, log } = arena.functions.of('resync-due');
  const inspector = new WebSocket(/ws:\/\/\S+/.exec(log())?.[0] ?? assert.fail('the function has no inspector'));
  await once(inspector, 'open');
  const ask = async (id: number, method: string): Promise<Readonly<Record<string, number>>> => {
    const answered = once(inspector, 'message');
    inspector.send(JSON.stringify({ id, method }));
    const [{ data }] = (await answered) as [{ readonly data: string }];
    return (JSON.parse(data) as { readonly result: Readonly<Record<string, number>> }).result;
  };
  await ask(1, 'HeapProfiler.collectGarbage');
  const { usedSize = 0, backingStorageSize = 0 } = await ask(2, 'Runtime.getHeapUsage');
  inspector.close();
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1];
  return { heap: Math.round((usedSize + backingStorageSize) / 1024), resident: Number(resident) };
}

test('a tick asks after each of 600 Messages in three namespaces, once', async () => {
  broker.onEvent = async () => {};
  await round();
  const all = announced();
  assert.equal(all.size, 3 * count);
  assert.deepEqual([...new Set(all.values())], [1]);
});

test('behind a slow Broker it takes several invocations, and still each is asked after once', {
  timeout: 120_000,
}, async (t) => {
  broker.onEvent = () => sleep(150);
  const invocations = await round();
  t.diagnostic(`${invocations} invocations`);
  const all = announced();
  assert.equal(all.size, 3 * count);
  assert.deepEqual([...new Set(all.values())], [1]);
  assert.ok(invocations >= 3, String(invocations));
});

test('the memory of the function does not grow with the rounds', async (t) => {
  broker.onEvent = async () => {};
  for (let warm = 0; warm < 3; warm += 1) await round();
  const before = await keptKb();
  for (let again = 0; again < 12; again += 1) await round();
  const after = await keptKb();
  const [heap, resident] = [after.heap - before.heap, after.resident - before.resident];
  t.diagnostic(`${before.heap} KB of heap, and ${heap} KB more after 7,200 events; ${resident} KB more of the process`);
  assert.ok(heap < 2_000, `${heap} KB of heap`);
  assert.ok(resident < 10_000, `${resident} KB`);
});

test('a Message that no event ever announced is made right by a tick alone', async () => {
  const [namespace = ''] = namespaces;
  const { url } = arena.functions.of('message-changed');
  broker.onEvent = async ({ extensions }, request) => {
    if (extensions.get('kind') === 'Message' && extensions.get('name') === 'm7') await postRaw(url, request);
  };
  // The second tick finds the Pod ready: nothing else reports it here.
  const installation = { headers: { ...tick.headers, 'ce-type': 'dev.knudge.resync.due' }, body: Buffer.alloc(0) };
  await until('the Message is Processed', async () => {
    await round(installation);
    return (await arena.message(namespace, 'm7'))?.status?.phase === 'Processed';
  });
});
