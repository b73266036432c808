import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Delivery } from '../../mesh-spec.ts';
import { aBroker, anEvent, aTrigger, hopsOf, startBroker, usualDelivery } from './build.ts';
import { startSubscriber } from './subscriber.ts';

suite('the body of an error', () => {
  for (const [length, warnings] of [
    [768, 0],
    [769, 1],
  ] as const) {
    test(`of ${length} bytes: ${warnings} warnings, and at most 768 bytes in the dead letter`, async (t) => {
      const body = 'x'.repeat(length);
      const subscriber = await startSubscriber(t, ({ path }) =>
        path === '/dead' ? { status: 202 } : { status: 400, body },
      );
      const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
      const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
      const { broker, hops } = startBroker(t, aBroker(), { triggers: [trigger] });
      await broker.ingress(anEvent('e-1'));
      assert.equal(hopsOf(hops, 'warning').length, warnings);
      const data = String(subscriber.got.at(-1)?.headers['ce-knativeerrordata']);
      assert.equal(data, btoa('x'.repeat(768)));
      assert.equal(data.length, 1024);
    });
  }

  test('kills no dispatcher where there is no dead-letter sink', async (t) => {
    const subscriber = await startSubscriber(t, () => ({ status: 400, body: 'x'.repeat(2000) }));
    const { broker, hops } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)] });
    await broker.ingress(anEvent('e-1'));
    assert.equal(hopsOf(hops, 'warning').length, 0);
  });
});

test('without a dead-letter sink the event is dropped and the ingress answers 500', async (t) => {
  const subscriber = await startSubscriber(t, () => ({ status: 400 }));
  const { broker, hops } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)] });
  assert.equal((await broker.ingress(anEvent('e-1'))).status, 500);
  assert.deepEqual(
    hopsOf(hops, 'dropped').map(({ trigger, event, why }) => [trigger, event.attributes['id'], why]),
    [['kn-demo/sold', 'e-1', 'it answered 400; there is no dead-letter sink']],
  );
});

test('the dead-letter sink is tried as often as the function; then the event is dropped, and the ingress answers 500', async (t) => {
  const subscriber = await startSubscriber(t, ({ path }) => ({ status: path === '/dead' ? 503 : 400 }));
  const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
  const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
  const { broker, hops, waits } = startBroker(t, aBroker(), { triggers: [trigger] });
  assert.equal((await broker.ingress(anEvent('e-1'))).status, 500);
  assert.deepEqual(waits, [200, 400, 800]);
  assert.equal(subscriber.ids('/dead').length, 4);
  const [dropped] = hopsOf(hops, 'dropped');
  assert.match(String(dropped?.why), /^it answered 400; the dead-letter sink http.*\/dead: it answered 503$/);
  assert.equal(hopsOf(hops, 'dead-lettered').length, 0);
});

test('a dead-letter sink that refuses once gets it at the second try', async (t) => {
  const subscriber = await startSubscriber(t, ({ path }, before) => {
    return { status: path === '/fn' ? 400 : before === 0 ? 503 : 202 };
  });
  const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
  const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
  const { broker, hops } = startBroker(t, aBroker(), { triggers: [trigger] });
  assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
  assert.equal(hopsOf(hops, 'dead-lettered')[0]?.to, `${subscriber.url}/dead`);
});

test('a letter that died before keeps what it says', async (t) => {
  const subscriber = await startSubscriber(t, ({ path }) => ({ status: path === '/dead' ? 202 : 400 }));
  const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
  const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
  const { broker } = startBroker(t, aBroker(), { triggers: [trigger] });
  await broker.ingress(anEvent('e-1', { knativeerrorcode: '503' }));
  assert.equal(subscriber.got.at(-1)?.headers['ce-knativeerrorcode'], '503');
});

suite('an error names where it came from', () => {
  const rows: readonly [name: string, delivery: Partial<Delivery>, kind: 'function' | 'broker', address: string][] = [
    ['a function', {}, 'function', 'http://fn.kn-demo.svc.cluster.local'],
    ['a Broker', {}, 'broker', 'http://broker-ingress.knative-eventing.svc.cluster.local/kn-demo/fn'],
  ];
  for (const [name, more, kind, address] of rows) {
    test(`${name} by its address in a cluster`, async (t) => {
      const letters: string[] = [];
      const delivery: Delivery = {
        ...usualDelivery,
        retry: 0,
        deadLetterSink: { kind: 'uri', uri: 'http://dead/' },
        ...more,
      };
      const trigger = aTrigger('', { subscriber: { kind, namespace: 'kn-demo', name: 'fn' }, delivery });
      const { broker } = startBroker(t, aBroker(), {
        triggers: [trigger],
        deliver: async (to, event) => {
          if (to.kind === 'uri') letters.push(String(event.attributes['knativeerrordest']));
          return { kind: 'answered', status: to.kind === 'uri' ? 202 : 400, headers: {}, body: Buffer.alloc(0) };
        },
      });
      await broker.ingress(anEvent('e-1'));
      assert.deepEqual(letters, [address]);
    });
  }
});
