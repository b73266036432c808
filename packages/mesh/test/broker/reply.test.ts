import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Filter } from '../../mesh-spec.ts';
import { aBroker, anEvent, aTrigger, hopsOf, startBroker, usualDelivery } from './build.ts';
import { type Reply, startSubscriber } from './subscriber.ts';

const binary: Reply = {
  status: 200,
  headers: { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-type': 'shop.paid', 'ce-source': '/fn' },
};
const structured: Reply = {
  status: 200,
  headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
  body: JSON.stringify({ specversion: '1.0', id: 'r-1', type: 'shop.paid', source: '/fn', data: { paid: true } }),
};

function ofType(type: string): readonly Filter[] {
  return [{ dialect: 'exact', attributes: { type } }];
}

suite('a reply', () => {
  for (const [name, reply, body] of [
    ['in binary mode', binary, ''],
    ['in structured mode', structured, '{"paid":true}'],
  ] as const) {
    test(`${name} goes through the Broker to the Trigger that wants it, in binary mode`, async (t) => {
      const subscriber = await startSubscriber(t, ({ path }) => (path === '/first' ? reply : { status: 202 }));
      const { broker, hops } = startBroker(t, aBroker(), {
        triggers: [
          aTrigger(`${subscriber.url}/first`, { filters: ofType('shop.sold') }),
          aTrigger(`${subscriber.url}/second`, { filters: ofType('shop.paid') }),
        ],
      });
      assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
      const second = subscriber.got.filter(({ path }) => path === '/second');
      assert.deepEqual(
        second.map(({ headers }) => [headers['ce-id'], headers['ce-type'], headers['ce-knativebrokerttl']]),
        [['r-1', 'shop.paid', undefined]],
      );
      assert.equal(String(second[0]?.body), body);
      assert.deepEqual(
        hopsOf(hops, 'sent').map(({ source, attempts, status }) => [source, attempts, status]),
        [['kn-demo/sold', 1, 202]],
      );
    });
  }

  test('that is wanted by the Trigger that gave it ends after 255 passes, with a dead letter', async (t) => {
    let calls = 0;
    const subscriber = await startSubscriber(t, ({ path }) => {
      if (path === '/dead') return { status: 202 };
      calls += 1;
      return binary;
    });
    const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
    const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
    const { broker } = startBroker(t, aBroker(), { triggers: [trigger] });
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
    assert.equal(calls, 255);
    const letters = subscriber.got.filter(({ path }) => path === '/dead');
    assert.equal(letters.length, 1);
    assert.equal(letters[0]?.headers['ce-knativeerrorcode'], '400');
    assert.match(String(letters[0]?.headers['ce-knativeerrordest']), /\/kn-demo\/default$/);
  });

  test('that the Broker cannot deliver is sent again as often as an event, then the first event is a dead letter', async (t) => {
    const subscriber = await startSubscriber(t, ({ path }) => {
      if (path === '/first') return binary;
      return { status: path === '/dead' ? 202 : 400 };
    });
    const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
    const { broker, waits } = startBroker(t, aBroker(), {
      triggers: [
        aTrigger(`${subscriber.url}/first`, {
          filters: ofType('shop.sold'),
          delivery: { ...usualDelivery, deadLetterSink },
        }),
        aTrigger(`${subscriber.url}/second`, { filters: ofType('shop.paid') }),
      ],
    });
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
    assert.deepEqual(waits, [200, 400, 800]);
    assert.equal(subscriber.ids('/second').length, 4);
    assert.deepEqual(subscriber.ids('/dead'), ['e-1']);
  });

  test('without a type is refused by the ingress, so that the event is a dead letter at once', async (t) => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-source': '/fn' };
    const subscriber = await startSubscriber(t, ({ path }) =>
      path === '/dead' ? { status: 202 } : { status: 200, headers },
    );
    const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
    const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
    const { broker } = startBroker(t, aBroker(), { triggers: [trigger] });
    assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
    assert.deepEqual(subscriber.ids('/fn'), ['e-1']);
    const [letter] = subscriber.got.filter(({ path }) => path === '/dead');
    assert.equal(letter?.headers['ce-knativeerrorcode'], '400');
    assert.equal(letter?.headers['ce-knativeerrordata'], '');
    assert.match(String(letter?.headers['ce-knativeerrordest']), /\/kn-demo\/default$/);
  });

  test('of a dead-letter sink goes nowhere', async (t) => {
    const subscriber = await startSubscriber(t, ({ path }) => (path === '/dead' ? binary : { status: 400 }));
    const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
    const trigger = aTrigger(`${subscriber.url}/fn`, { delivery: { ...usualDelivery, deadLetterSink } });
    const { broker } = startBroker(t, aBroker(), { triggers: [trigger] });
    await broker.ingress(anEvent('e-1'));
    assert.deepEqual(subscriber.ids('/fn'), ['e-1']);
  });
});
