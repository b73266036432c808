import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sleep } from '../../broker/tries.ts';
import { aBroker, aFolder, anEvent, aTrigger, hopsOf, startBroker, until } from './build.ts';
import { startSubscriber } from './subscriber.ts';

const kafka = aBroker('Kafka');

/** Waits between tries end only when the Broker closes. */
const endless: Sleep = (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

/** What the file of a closed Broker holds. */
function stored(dir: string, what: 'events' | 'positions'): number {
  const database = new DatabaseSync(join(dir, 'kn-demo.default.sqlite'), { readOnly: true });
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${what}`).get() as { count: number };
  database.close();
  return count;
}

interface Place {
  readonly dir: string;
  readonly url: string;
}

/** A Broker with one Trigger accepts these while nobody takes them, and closes. */
async function acceptWhileDown(t: TestContext, ids: readonly string[], { dir, url }: Place): Promise<void> {
  const { broker, hops } = startBroker(t, kafka, { dir, triggers: [aTrigger(url)], sleep: endless, graceMs: 0 });
  for (const id of ids) assert.equal((await broker.ingress(anEvent(id))).status, 202);
  await until(() => hopsOf(hops, 'delivered').length === ids.length, 'each was tried');
  await broker.close();
}

suite('a Broker of class Kafka that starts again', () => {
  test('delivers what it had accepted and not delivered', async (t) => {
    const dir = aFolder(t);
    let up = false;
    const subscriber = await startSubscriber(t, () => ({ status: up ? 202 : 503 }));
    await acceptWhileDown(t, ['e-1', 'e-2', 'e-3'], { dir, url: subscriber.url });
    up = true;
    subscriber.got.length = 0;
    startBroker(t, kafka, { dir, triggers: [aTrigger(subscriber.url)] });
    await until(() => subscriber.got.length === 3, 'all came');
    assert.deepEqual(subscriber.ids().toSorted(), ['e-1', 'e-2', 'e-3']);
    const [first] = subscriber.got;
    assert.equal(first?.headers['content-type'], 'application/json');
    assert.equal(String(first?.body), JSON.stringify({ id: first?.headers['ce-id'] }));
  });

  test('delivers nothing twice that was done before it closed', async (t) => {
    const dir = aFolder(t);
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    const first = startBroker(t, kafka, { dir, triggers: [aTrigger(subscriber.url)] });
    for (const id of ['e-1', 'e-2']) await first.broker.ingress(anEvent(id));
    await until(() => hopsOf(first.hops, 'delivered').length === 2, 'both were delivered');
    await first.broker.close();
    const second = startBroker(t, kafka, { dir, triggers: [aTrigger(subscriber.url)] });
    await second.broker.ingress(anEvent('e-3'));
    await until(() => subscriber.got.length === 3, 'the new one came');
    assert.deepEqual(subscriber.ids().toSorted(), ['e-1', 'e-2', 'e-3']);
  });

  test('delivers again what was answered after it had closed', async (t) => {
    const dir = aFolder(t);
    const late = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, (_, before) => (before === 0 ? late.promise : { status: 202 }));
    const triggers = [aTrigger(subscriber.url)];
    const first = startBroker(t, kafka, { dir, triggers, graceMs: 0 });
    await first.broker.ingress(anEvent('e-1'));
    await until(() => subscriber.got.length === 1, 'it was asked');
    await first.broker.close();
    late.resolve({ status: 202 });
    await until(() => hopsOf(first.hops, 'delivered').length === 1, 'it answered');
    startBroker(t, kafka, { dir, triggers });
    await until(() => subscriber.got.length === 2, 'it came again');
    await wait(150);
    assert.deepEqual(hopsOf(first.hops, 'warning'), []);
  });

  test('may deliver twice: what was done behind an event that was not', async (t) => {
    const dir = aFolder(t);
    let up = false;
    const subscriber = await startSubscriber(t, ({ headers }) => ({
      status: up || headers['ce-id'] === 'e-2' ? 202 : 503,
    }));
    const triggers = [aTrigger(subscriber.url)];
    const first = startBroker(t, kafka, { dir, triggers, sleep: endless, graceMs: 0 });
    for (const id of ['e-1', 'e-2']) await first.broker.ingress(anEvent(id, { partitionkey: 'k' }));
    await until(() => hopsOf(first.hops, 'delivered').length === 2, 'both were tried');
    await first.broker.close();
    up = true;
    startBroker(t, kafka, { dir, triggers });
    await until(() => subscriber.got.length === 4, 'both came again');
    assert.deepEqual(subscriber.ids().slice(2), ['e-1', 'e-2']);
  });

  test('gives a new Trigger only what comes from now on', async (t) => {
    const dir = aFolder(t);
    let up = false;
    const subscriber = await startSubscriber(t, ({ path }) => ({ status: up || path === '/new' ? 202 : 503 }));
    await acceptWhileDown(t, ['e-1'], { dir, url: `${subscriber.url}/old` });
    up = true;
    subscriber.got.length = 0;
    const { broker } = startBroker(t, kafka, {
      dir,
      triggers: [aTrigger(`${subscriber.url}/old`), aTrigger(`${subscriber.url}/new`, { name: 'new' })],
    });
    await broker.ingress(anEvent('e-2'));
    await until(() => subscriber.got.length === 3, 'all came');
    assert.deepEqual(subscriber.ids('/old').toSorted(), ['e-1', 'e-2']);
    assert.deepEqual(subscriber.ids('/new'), ['e-2']);
  });

  test('forgets a Trigger that is gone, and what only that one waited for', async (t) => {
    const dir = aFolder(t);
    const subscriber = await startSubscriber(t, () => ({ status: 503 }));
    await acceptWhileDown(t, ['e-1', 'e-2'], { dir, url: subscriber.url });
    assert.deepEqual([stored(dir, 'events'), stored(dir, 'positions')], [2, 32]);
    await startBroker(t, kafka, { dir }).broker.close();
    assert.deepEqual([stored(dir, 'events'), stored(dir, 'positions')], [0, 0]);
  });

  test('reads a backlog that is longer than what it keeps in memory', async (t) => {
    const dir = aFolder(t);
    let up = false;
    const subscriber = await startSubscriber(t, () => (up ? { status: 202 } : undefined));
    const ids = Array.from({ length: 400 }, (_, index) => `e-${index}`);
    const keyed = (id: string) => anEvent(id, { partitionkey: 'k' });
    const triggers = [aTrigger(subscriber.url, { ordered: true })];
    const first = startBroker(t, kafka, { dir, triggers, graceMs: 0 });
    await Promise.all(ids.map((id) => first.broker.ingress(keyed(id))));
    await first.broker.close();
    up = true;
    subscriber.got.length = 0;
    const { broker } = startBroker(t, kafka, { dir, triggers });
    await broker.ingress(keyed('last'));
    await until(() => subscriber.got.length === 401, 'all came');
    assert.deepEqual(subscriber.ids(), [...ids, 'last']);
  });
});

suite('a Broker of class Kafka keeps', () => {
  test('nothing that every Trigger is done with', async (t) => {
    const dir = aFolder(t);
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    const kinds = ['a', 'b'].map((kind) =>
      aTrigger(subscriber.url, { name: kind, filters: [{ dialect: 'exact', attributes: { kind } }] }),
    );
    const { broker } = startBroker(t, kafka, { dir, triggers: kinds });
    for (let n = 0; n < 50; n += 1) await broker.ingress(anEvent(`e-${n}`, { kind: n % 2 === 0 ? 'a' : 'c' }));
    await until(() => subscriber.got.length === 25, 'all were delivered');
    await broker.close();
    assert.equal(stored(dir, 'events'), 0);
  });

  test('its promise where the disk takes nothing: 503, not 202', async (t) => {
    const { broker } = startBroker(t, kafka, { dir: aFolder(t) });
    // No event is like that: it stands for whatever the database refuses.
    const data = undefined as unknown as Buffer;
    const answer = await broker.ingress({ ...anEvent('e-1'), data });
    assert.equal(answer.status, 503);
    assert.match(String(answer.message), /could not be stored/);
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
  });
});
