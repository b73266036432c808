import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBroker } from '../../broker/ingress.ts';
import { aBroker, aFolder, anEvent, aTrigger, hopsOf, overHttp, startBroker, until, usualDelivery } from './build.ts';
import { startSubscriber } from './subscriber.ts';

const kafka = aBroker('Kafka');

/** Ids that share a partition, by their key. */
function keyed(id: string, partitionkey: string) {
  return anEvent(id, { partitionkey });
}

suite('a Broker of class Kafka', () => {
  test('accepts an event before anybody has it', async (t) => {
    const dir = aFolder(t);
    const slow = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, () => slow.promise);
    const { broker, hops } = startBroker(t, kafka, { dir, triggers: [aTrigger(subscriber.url)] });
    assert.deepEqual(await broker.ingress(anEvent('e-1')), { status: 202 });
    assert.deepEqual(hopsOf(hops, 'delivered'), []);
    slow.resolve({ status: 202 });
    await until(() => hopsOf(hops, 'delivered').length === 1, 'the function has it');
  });

  test('refuses what its ingress refuses', async (t) => {
    const { broker } = startBroker(t, kafka, { dir: aFolder(t) });
    assert.equal((await broker.ingress(anEvent('e-1', { knativebrokerttl: '0' }))).status, 400);
    assert.equal((await broker.ingress(anEvent('', {}))).status, 400);
  });

  test('a failing function holds back no other event where the Trigger is unordered', async (t) => {
    const subscriber = await startSubscriber(t, ({ headers }) => ({ status: headers['ce-id'] === 'bad' ? 503 : 202 }));
    const { broker, hops } = startBroker(t, kafka, {
      dir: aFolder(t),
      triggers: [aTrigger(subscriber.url)],
      sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      graceMs: 0,
    });
    await broker.ingress(keyed('bad', 'k'));
    for (const id of ['e-1', 'e-2', 'e-3']) await broker.ingress(keyed(id, 'k'));
    await until(() => hopsOf(hops, 'delivered').length === 4, 'all were tried');
    assert.deepEqual(subscriber.ids().toSorted(), ['bad', 'e-1', 'e-2', 'e-3']);
  });

  test('an ordered Trigger waits with a partition until its event is done with, and only with that', async (t) => {
    const held = Promise.withResolvers<void>();
    const subscriber = await startSubscriber(t, ({ headers }) => ({ status: headers['ce-id'] === 'a-1' ? 503 : 202 }));
    const { broker, hops } = startBroker(t, kafka, {
      dir: aFolder(t),
      triggers: [aTrigger(subscriber.url, { ordered: true, delivery: { ...usualDelivery, retry: 1 } })],
      sleep: () => held.promise,
    });
    const [a, b] = ['key-a', 'key-b'];
    const all = [keyed('a-1', a), keyed('a-2', a), keyed('a-3', a), keyed('b-1', b), keyed('b-2', b)];
    await Promise.all(all.map((event) => broker.ingress(event)));
    await until(() => subscriber.got.length === 3, 'the other partition is done');
    assert.deepEqual(subscriber.ids().toSorted(), ['a-1', 'b-1', 'b-2']);
    held.resolve();
    await until(() => subscriber.got.length === 6, 'all is delivered');
    assert.deepEqual(
      subscriber.ids().filter((id) => id.startsWith('a')),
      ['a-1', 'a-1', 'a-2', 'a-3'],
    );
    assert.deepEqual(
      hopsOf(hops, 'dropped').map(({ event }) => event.attributes['id']),
      ['a-1'],
    );
  });

  test('an unordered Trigger has at most 64 events under way, of every partition', async (t) => {
    const release = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, () => release.promise);
    const { broker } = startBroker(t, kafka, { dir: aFolder(t), triggers: [aTrigger(subscriber.url)] });
    const ids = Array.from({ length: 300 }, (_, index) => `e-${index}`);
    await Promise.all(ids.map((id) => broker.ingress(anEvent(id))));
    await until(() => subscriber.got.length === 64, '64 are under way');
    await broker.ingress(anEvent('one-more'));
    assert.equal(subscriber.got.length, 64);
    release.resolve({ status: 202 });
    await until(() => subscriber.got.length === 301, 'all were delivered');
    assert.deepEqual(new Set(subscriber.ids()), new Set([...ids, 'one-more']));
  });

  test('what floods in one namespace waits behind itself, and a Trigger has four events of it under way at most', async (t) => {
    const release = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, ({ headers }) =>
      headers['ce-namespace'] === 'loud' ? release.promise : { status: 202 },
    );
    const { broker } = startBroker(t, kafka, { dir: aFolder(t), triggers: [aTrigger(subscriber.url)] });
    const of = (namespace: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => broker.ingress(anEvent(`${namespace}-${at}`, { namespace }))),
      );
    await of('loud', 300);
    await until(() => subscriber.got.length === 4, 'four are under way');
    await of('calm', 20);
    await until(() => subscriber.got.length === 24, 'all of the other namespace are through');
    release.resolve({ status: 202 });
    await until(() => subscriber.got.length === 320, 'all were delivered');
  });

  test('delivers in order what became more than it keeps in memory', async (t) => {
    const release = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, () => release.promise);
    const { broker } = startBroker(t, kafka, {
      dir: aFolder(t),
      triggers: [aTrigger(subscriber.url, { ordered: true })],
    });
    const ids = Array.from({ length: 300 }, (_, index) => `e-${index}`);
    await Promise.all(ids.map((id) => broker.ingress(keyed(id, 'k'))));
    release.resolve({ status: 202 });
    await until(() => subscriber.got.length === 300, 'all were delivered');
    assert.deepEqual(subscriber.ids(), ids);
  });

  test('delivers only what a Trigger wants, once to each', async (t) => {
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    const { broker } = startBroker(t, kafka, {
      dir: aFolder(t),
      triggers: [
        aTrigger(`${subscriber.url}/all`, { name: 'all' }),
        aTrigger(`${subscriber.url}/a`, { name: 'a', filters: [{ dialect: 'exact', attributes: { kind: 'a' } }] }),
      ],
    });
    for (const kind of ['a', 'b', 'a']) await broker.ingress(anEvent(kind, { kind }));
    await until(() => subscriber.got.length === 5, 'all were delivered');
    await broker.close();
    assert.deepEqual(subscriber.ids('/a'), ['a', 'a']);
    assert.deepEqual(subscriber.ids('/all').toSorted(), ['a', 'a', 'b']);
  });

  test('takes a reply in like any other event', async (t) => {
    const reply = { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-type': 'reply', 'ce-source': '/fn' };
    const subscriber = await startSubscriber(t, ({ headers }) =>
      headers['ce-type'] === 'reply' ? { status: 202 } : { status: 200, headers: reply },
    );
    const { broker } = startBroker(t, kafka, { dir: aFolder(t), triggers: [aTrigger(subscriber.url)] });
    await broker.ingress(anEvent('e-1'));
    await until(() => subscriber.got.length === 2, 'the reply came back');
    assert.deepEqual(subscriber.ids(), ['e-1', 'r-1']);
  });

  test('needs a folder', () => {
    const parts = { triggers: [], deliver: overHttp, report: () => {} };
    assert.throws(() => createBroker(kafka, parts), { code: 'internal' });
  });

  test('is alone with its file', (t) => {
    const dir = aFolder(t);
    startBroker(t, kafka, { dir });
    assert.throws(() => createBroker(kafka, { dir, triggers: [], deliver: overHttp, report: () => {} }), {
      code: 'internal',
    });
  });
});
