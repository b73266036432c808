import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createBroker } from '../../broker/ingress.ts';
import type { Hop } from '../../hop.ts';
import { aBroker, anEvent, aTrigger, hopsOf, overHttp, startBroker, until, usualDelivery } from './build.ts';
import { startSubscriber } from './subscriber.ts';

suite('an MTChannelBasedBroker', () => {
  test('accepts when every Trigger that wants the event has it, not before', async (t) => {
    const slow = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, ({ path }) => (path === '/slow' ? slow.promise : { status: 202 }));
    const { broker } = startBroker(t, aBroker(), {
      triggers: [aTrigger(`${subscriber.url}/slow`), aTrigger(`${subscriber.url}/quick`)],
    });
    let accepted = false;
    const answer = broker.ingress(anEvent('e-1')).then((said) => {
      accepted = true;
      return said;
    });
    await until(() => subscriber.got.length === 2, 'both were asked');
    assert.equal(accepted, false);
    slow.resolve({ status: 202 });
    assert.deepEqual(await answer, { status: 202 });
  });

  test('holds its sender back while a function is tried again: head-of-line blocking', async (t) => {
    const order: string[] = [];
    const subscriber = await startSubscriber(t, ({ headers }, before) => {
      order.push(String(headers['ce-id']));
      return { status: before < 2 ? 503 : 202 };
    });
    const { broker } = startBroker(t, aBroker(), {
      triggers: [aTrigger(subscriber.url)],
      sleep: async () => void order.push('waits'),
    });
    // A source sends the next event of a kind when this one was answered.
    for (const id of ['e-1', 'e-2']) await broker.ingress(anEvent(id));
    assert.deepEqual(order, ['e-1', 'waits', 'e-1', 'waits', 'e-1', 'e-2']);
  });

  test('says of a refused event whether any Trigger has it', async (t) => {
    const subscriber = await startSubscriber(t, ({ path }) => ({ status: path === '/good' ? 202 : 400 }));
    const [good, bad] = [aTrigger(`${subscriber.url}/good`), aTrigger(`${subscriber.url}/bad`)];
    const some = startBroker(t, aBroker(), { triggers: [good, bad] });
    const message = 'a Trigger could not deliver the event';
    assert.deepEqual(await some.broker.ingress(anEvent('e-1')), { status: 500, message, isTakenBySome: true });
    const none = startBroker(t, aBroker(), { triggers: [bad] });
    assert.deepEqual(await none.broker.ingress(anEvent('e-2')), { status: 500, message });
  });

  test('accepts what nobody wants', async (t) => {
    const { broker, hops } = startBroker(t, aBroker(), {
      triggers: [aTrigger('http://unasked/', { filters: [{ dialect: 'exact', attributes: { type: 'other' } }] })],
    });
    assert.deepEqual(await broker.ingress(anEvent('e-1')), { status: 202 });
    assert.deepEqual(hops, []);
  });

  test('accepts what no Trigger is subscribed for yet, and it is gone', async (t) => {
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    let isSubscribed = false;
    const { broker } = startBroker(t, aBroker(), {
      triggers: [aTrigger(subscriber.url)],
      isSubscribed: () => isSubscribed,
    });
    assert.deepEqual(await broker.ingress(anEvent('e-1')), { status: 202 });
    isSubscribed = true;
    assert.deepEqual(await broker.ingress(anEvent('e-2')), { status: 202 });
    assert.deepEqual(
      subscriber.got.map(({ headers }) => headers['ce-id']),
      ['e-2'],
    );
  });

  test('knows its own Triggers only', async (t) => {
    const { broker, hops } = startBroker(t, aBroker(), {
      triggers: [aTrigger('http://a/', { broker: 'other' }), aTrigger('http://b/', { namespace: 'other' })],
    });
    assert.deepEqual(await broker.ingress(anEvent('e-1')), { status: 202 });
    assert.deepEqual(hops, []);
  });

  test('answers 500 where one of several Triggers has nobody to take the event', async (t) => {
    const subscriber = await startSubscriber(t, ({ path }) => ({ status: path === '/bad' ? 400 : 202 }));
    const { broker } = startBroker(t, aBroker(), {
      triggers: [aTrigger(`${subscriber.url}/bad`), aTrigger(`${subscriber.url}/good`)],
    });
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 500);
    assert.deepEqual(subscriber.ids('/good'), ['e-1']);
  });

  test('answers 500 when its Triggers take longer than a fan-out may', async (t) => {
    const subscriber = await startSubscriber(t, () => undefined);
    const { broker } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)], fanOutMs: 20, graceMs: 0 });
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 500);
  });

  test('does not promise order: events that are sent at the same time arrive as their functions let them', async (t) => {
    const first = Promise.withResolvers<{ status: number }>();
    const done: string[] = [];
    const subscriber = await startSubscriber(t, async ({ headers }) => {
      const id = String(headers['ce-id']);
      if (id === 'e-1') await first.promise;
      done.push(id);
      return { status: 202 };
    });
    const { broker } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)] });
    const one = broker.ingress(anEvent('e-1'));
    await broker.ingress(anEvent('e-2'));
    first.resolve({ status: 202 });
    await one;
    assert.deepEqual(done, ['e-2', 'e-1']);
  });
});

suite('an MTChannelBasedBroker that closes', () => {
  test('lets what is in flight finish and takes no more', async (t) => {
    const slow = Promise.withResolvers<{ status: number }>();
    const subscriber = await startSubscriber(t, () => slow.promise);
    const { broker } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)] });
    const answer = broker.ingress(anEvent('e-1'));
    await until(() => subscriber.got.length === 1, 'it was asked');
    const closed = broker.close();
    assert.equal((await broker.ingress(anEvent('e-2'))).status, 503);
    slow.resolve({ status: 202 });
    assert.deepEqual(await answer, { status: 202 });
    await closed;
    assert.deepEqual(subscriber.ids(), ['e-1']);
  });

  test('loses what waits for its next try when the grace is over: nothing is on disk', {
    timeout: 20_000,
  }, async (t) => {
    const subscriber = await startSubscriber(t, () => ({ status: 503 }));
    const delivery = { ...usualDelivery, backoffDelayMs: 3_600_000 };
    const hops: Hop[] = [];
    const broker = createBroker(aBroker(), {
      triggers: [aTrigger(subscriber.url, { delivery })],
      deliver: overHttp,
      report: (hop) => hops.push(hop),
      graceMs: 20,
    });
    const answer = broker.ingress(anEvent('e-1'));
    await until(() => hopsOf(hops, 'delivered').length === 1, 'it was tried');
    await broker.close();
    assert.equal((await answer).status, 500);
    const again = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)] });
    await again.broker.close();
    assert.deepEqual(subscriber.ids(), ['e-1']);
  });
});
