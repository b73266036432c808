import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecorded, recorded, recordedNames } from '../../../../test/build/event.ts';
import { eventOf } from '../../broker/http-event.ts';
import { aBroker, aTrigger, startBroker, usualDelivery } from './build.ts';
import { startSubscriber } from './subscriber.ts';

/** Headers of that one delivery, of Go's client and of ours. */
const ofOneDelivery = ['host', 'accept-encoding', 'content-length', 'user-agent', 'connection'];
/** What the Broker puts in itself. */
const ofTheBroker = /^ce-knative|^prefer$/;

function comparable(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(headers).filter(([name]) => !ofOneDelivery.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'ce-knativearrivaltime' ? 'a time' : value]));
}

/** A recorded event by the name of its file, in whichever folder. */
function find(file: string): string {
  const name = recordedNames.find((path) => path.endsWith(`/${file}`));
  assert.ok(name !== undefined, `there is no recorded event ${file}`);
  return name;
}

/** The event as its source sent it, before the Broker. */
function asSent(name: string) {
  const { headers, body } = recorded(name);
  return eventOf({
    headers: Object.fromEntries(Object.entries(headers).filter(([header]) => !ofTheBroker.test(header))),
    body,
  });
}

for (const file of ['broker-function-receives-pod-update', 'pingsource-through-broker']) {
  test(`a function gets what it got behind a real Broker: ${file}`, async (t) => {
    const name = find(file);
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    const { headers, body } = readRecorded(name);
    const namespace = String(headers['kn-namespace']);
    const trigger = aTrigger(subscriber.url, { namespace });
    const { broker } = startBroker(t, { ...aBroker(), namespace }, { triggers: [trigger] });
    assert.equal((await broker.ingress(asSent(name))).status, 202);
    assert.deepEqual(comparable(subscriber.got[0]?.headers ?? {}), comparable(headers));
    assert.deepEqual(JSON.parse(String(subscriber.got[0]?.body)), body);
  });
}

test('a function gets what another replied', async (t) => {
  const name = find('broker-function-receives-reply-event');
  const { headers, body } = readRecorded(name);
  const ce = Object.entries(headers).filter(([header]) => header.startsWith('ce-') && !ofTheBroker.test(header));
  const reply = { ...Object.fromEntries(ce), 'content-type': 'application/json' };
  const subscriber = await startSubscriber(t, ({ path }) =>
    path === '/first' ? { status: 200, headers: reply, body: JSON.stringify(body) } : { status: 202 },
  );
  const namespace = String(headers['kn-namespace']);
  const { broker } = startBroker(
    t,
    { ...aBroker(), namespace },
    {
      triggers: [
        aTrigger(`${subscriber.url}/first`, {
          namespace,
          filters: [{ dialect: 'exact', attributes: { kind: 'Pod' } }],
        }),
        aTrigger(`${subscriber.url}/second`, {
          namespace,
          filters: [{ dialect: 'exact', attributes: { type: 'fn.reply' } }],
        }),
      ],
    },
  );
  await broker.ingress(asSent(find('broker-function-receives-pod-update')));
  const [second] = subscriber.got.filter(({ path }) => path === '/second');
  assert.deepEqual(comparable(second?.headers ?? {}), comparable(headers));
  assert.deepEqual(JSON.parse(String(second?.body)), body);
});

for (const status of [400, 500]) {
  test(`a dead letter is what it was behind a real Broker: ${status}`, async (t) => {
    const after = status === 400 ? '400' : 'retries-500';
    const name = find(`broker-deadletter-after-${after}`);
    const { headers, body } = readRecorded(name);
    const subscriber = await startSubscriber(t, ({ path }) =>
      path === '/dead' ? { status: 202 } : { status, body: `function says ${status}` },
    );
    const path = `/fn?name=dead${status}&status=${status}`;
    const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
    const namespace = String(headers['kn-namespace']);
    const trigger = aTrigger(`${subscriber.url}${path}`, { namespace, delivery: { ...usualDelivery, deadLetterSink } });
    const { broker } = startBroker(t, { ...aBroker(), namespace }, { triggers: [trigger] });
    await broker.ingress(asSent(name));
    const letter = subscriber.got.at(-1);
    const expected = { ...comparable(headers), 'ce-knativeerrordest': `${subscriber.url}${path}` };
    assert.deepEqual(comparable(letter?.headers ?? {}), expected);
    assert.deepEqual(JSON.parse(String(letter?.body)), body);
  });
}

test('the time of arrival has the form of the recorded ones', async (t) => {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
  assert.match(String(readRecorded(find('pingsource-through-broker')).headers['ce-knativearrivaltime']), form);
  const rows: readonly [ms: number, text: string][] = [
    [Date.UTC(2026, 10, 21, 2, 24, 51, 625) + 0.437, '2026-11-21T02:24:51.625437Z'],
    [Date.UTC(2026, 10, 21, 2, 24, 50, 100), '2026-11-21T02:24:50.1Z'],
    [Date.UTC(2026, 10, 21, 2, 24, 50), '2026-11-21T02:24:50Z'],
  ];
  for (const [ms, text] of rows) {
    const subscriber = await startSubscriber(t, () => ({ status: 202 }));
    const { broker } = startBroker(t, aBroker(), { triggers: [aTrigger(subscriber.url)], now: () => ms });
    await broker.ingress(asSent(find('pingsource-through-broker')));
    assert.equal(subscriber.got[0]?.headers['ce-knativearrivaltime'], text);
    assert.match(text, form);
  }
});
