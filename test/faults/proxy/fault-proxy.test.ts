import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type Ending, exchange } from '../../../packages/controller/cluster/exchange.ts';
import type { Action, Fault } from '../../../packages/controller/testing/fault.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { startStandIn } from './stand-in.ts';

const path = '/api/v1/namespaces/shop/configmaps/web';
const listPath = '/api/v1/namespaces/shop/configmaps';
const configMap = (text: string, name = 'web') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data: { text },
});

type Ask = (method: string, at?: string, body?: object) => Promise<Ending>;

/** A stand-in with one fault, and what asks it as instance 7. */
async function open(t: TestContext, faults: readonly Fault[], timeout = 10_000) {
  const { proxy, requests, kept } = await startStandIn(t, faults);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const askAs =
    (instance: number): Ask =>
    (method, at = path, body) =>
      exchange({
        url: new URL(`${proxy.urlOf(instance)}${at}`),
        method,
        headers: { 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        agent,
        timeout,
        maxBytes: 1_000_000,
      });
  return { proxy, requests, kept, askAs, ask: askAs(7) };
}

function faultOf(action: Action, when: Fault['when'], verb: 'get' | 'list' | 'update' = 'update'): Fault {
  return { match: { verb, resource: 'configmaps', nth: 1 }, when, action };
}

/** How it ended for the caller, in a word or two. */
function said(ending: Ending): string {
  if (ending.kind === 'answered') return `${String(ending.status)} ${ending.answer.text.slice(0, 30)}`;
  return ending.kind === 'broken' ? `broken ${'code' in ending.cause ? String(ending.cause.code) : ''}` : ending.kind;
}

const noQuota = { do: 'answer', status: 403, reason: 'Forbidden', message: 'exceeded quota: x' } as const;

/** Each on a write: what the caller gets, and whether the server has carried it out. */
const rows: readonly [Action, Fault['when'], string, 'done' | 'not done'][] = [
  [{ do: 'crash' }, 'before', 'broken ECONNRESET', 'not done'],
  [{ do: 'crash' }, 'after', 'broken ECONNRESET', 'done'],
  [{ do: 'hang' }, 'before', 'timed-out', 'not done'],
  [{ do: 'hang' }, 'after', 'timed-out', 'done'],
  [{ do: 'reset' }, 'before', 'broken ECONNRESET', 'not done'],
  [{ do: 'reset' }, 'after', 'broken ECONNRESET', 'done'],
  [noQuota, 'before', '403 {"kind":"Status","apiVersion":', 'not done'],
  [{ do: 'answer', status: 502, body: 'bad', contentType: 'text/plain' }, 'after', '502 bad', 'done'],
  [{ do: 'garble', how: 'cut' }, 'after', '200 {"apiVersion":"v1","kind":"Con', 'done'],
  [{ do: 'garble', how: 'not-json' }, 'before', '200 <html><body>It works!</body></', 'done'],
  [{ do: 'garble', how: 'other-kind' }, 'after', '200 {"kind":"SomethingElse","apiVe', 'done'],
  [{ do: 'garble', how: 'huge' }, 'after', 'too-long', 'done'],
  [{ do: 'delay', ms: 30 }, 'before', '200 {"apiVersion":"v1","kind":"Con', 'done'],
  [{ do: 'delay', ms: 400 }, 'after', 'timed-out', 'done'],
];

for (const [action, when, wanted, done] of rows) {
  const what = JSON.stringify(action);
  test(`${what} ${when} a write: it is ${done}, and the caller hears ${wanted}`, async (t) => {
    const { proxy, requests, ask } = await open(t, [faultOf(action, when)], wanted === 'timed-out' ? 300 : 10_000);
    const ending = await ask('PUT', path, configMap('a'));
    assert.equal(said(ending), wanted);
    assert.deepEqual(requests, done === 'done' ? [`PUT ${path}`] : []);
    assert.deepEqual(proxy.missed(), []);
    await until(() => proxy.calls.length === 1);
    const [call] = proxy.calls as [TracedCall];
    assert.equal(call.fault, `${when} ${action.do}`);
    assert.equal(call.done.status, done === 'done' ? 200 : 0);
    // A client that finds an answer too long may have taken the last of it all the same.
    if (wanted !== 'too-long') assert.equal(call.seen.status, ending.kind === 'answered' ? ending.status : 0);
    assert.deepEqual(proxy.problems, []);
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 200 && !isSo(); looks += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a crash ends its instance: calls under way and later ones reach nobody, another instance is served', async (t) => {
  const { proxy, requests, ask, askAs } = await open(t, [
    { ...faultOf({ do: 'delay', ms: 100 }, 'before', 'get') },
    faultOf({ do: 'crash' }, 'after'),
  ]);
  const underWay = ask('GET');
  assert.equal(said(await ask('PUT', path, configMap('a'))), 'broken ECONNRESET');
  assert.equal(said(await underWay), 'broken ECONNRESET');
  assert.equal(said(await ask('PUT', path, configMap('b'))), 'broken ECONNRESET');
  assert.ok(proxy.isDead(7));
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.deepEqual(requests, [`PUT ${path}`]);
  assert.match(said(await askAs(8)('GET')), /^200/);
});

test('a stale read gives the version before, absence before the first, and what is gone by now', async (t) => {
  const stale = (nth: number): Fault => ({
    match: { verb: 'get', resource: 'configmaps', nth },
    when: 'after',
    action: { do: 'stale' },
  });
  const { ask, kept } = await open(t, [stale(1), stale(2), stale(3)]);
  await ask('PUT', path, configMap('a'));
  assert.equal(said(await ask('GET')).slice(0, 3), '404');
  await ask('PUT', path, configMap('b'));
  const second = await ask('GET');
  assert.match(second.kind === 'answered' ? second.answer.text : '', /"text":"a"/);
  kept.delete(path);
  const third = await ask('GET');
  assert.match(third.kind === 'answered' ? third.answer.text : '', /"text":"b"/);
});

test('a stale list lacks the last change', async (t) => {
  const { ask } = await open(t, [faultOf({ do: 'stale' }, 'after', 'list')]);
  await ask('PUT', path, configMap('a'));
  await ask('PUT', `${listPath}/other`, configMap('b', 'other'));
  const list = await ask('GET', listPath);
  assert.deepEqual(namesIn(list), ['web']);
});

test('a shortened list has nothing or half', async (t) => {
  for (const [to, wanted] of [
    ['nothing', []],
    ['half', ['web']],
  ] as const) {
    const { ask } = await open(t, [faultOf({ do: 'shorten', to }, 'after', 'list')]);
    await ask('PUT', path, configMap('a'));
    await ask('PUT', `${listPath}/other`, configMap('b', 'other'));
    assert.deepEqual(namesIn(await ask('GET', listPath)), wanted);
  }
});

function namesIn(ending: Ending): readonly string[] {
  if (ending.kind !== 'answered') return [ending.kind];
  return (JSON.parse(ending.answer.text) as { items: { metadata: { name: string } }[] }).items.map(
    ({ metadata }) => metadata.name,
  );
}

test('somebody meddles just before the call or just after it', async (t) => {
  const order: string[] = [];
  for (const when of ['before', 'after'] as const) {
    const faults = [faultOf({ do: 'meddle', how: 'touch' }, when)];
    const { proxy, requests } = await startStandIn(t, faults, {
      meddle: async (how, { ref }) => void order.push(`${when}: ${how} ${ref.name}, ${String(requests.length)} calls`),
    });
    const url = `${proxy.urlOf(1)}${path}`;
    await fetch(url, { method: 'PUT', body: JSON.stringify(configMap('a')) });
  }
  assert.deepEqual(order, ['before: touch web, 0 calls', 'after: touch web, 1 calls']);
});

test('a fault that no call met is told, and lifted faults hit nothing', async (t) => {
  const never = faultOf({ do: 'reset' }, 'before', 'list');
  const always: Fault = { ...faultOf({ do: 'answer', status: 500 }, 'before', 'get'), times: 'on' };
  const { proxy, ask } = await open(t, [never, always]);
  assert.match(said(await ask('GET')), /^500/);
  assert.match(said(await ask('GET')), /^500/);
  proxy.lift();
  assert.match(said(await ask('GET')), /^404/);
  assert.deepEqual(proxy.missed(), [never]);
});
