import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Delivery } from '../../mesh-spec.ts';
import { aBroker, anEvent, aTrigger, hopsOf, startBroker, usualDelivery } from './build.ts';
import { nobody, type Reply, startSubscriber } from './subscriber.ts';

/** Of the dead letter: undefined where there is none, `[]` where it says nothing of the error. */
type Told = readonly [] | readonly [code: string, data: string] | undefined;

interface Row {
  readonly name: string;
  readonly replies: readonly Reply[];
  readonly waits: readonly number[];
  readonly told: Told;
  readonly delivery?: Partial<Delivery>;
}

const retried = [200, 400, 800];
const says = (status: number): Reply => ({ status, body: status === 304 ? '' : `says ${status}` });
const statuses: readonly Row[] = [
  ...[200, 202, 204].map((status) => ({ name: `${status}, empty`, replies: [{ status }], waits: [], told: undefined })),
  ...[404, 408, 409, 429, 500, 501, 502, 503, 504, 599].map((status): Row => {
    return { name: `${status}`, replies: [says(status)], waits: retried, told: [`${status}`, `says ${status}`] };
  }),
  ...[301, 400, 401, 403, 405, 410, 413, 415, 422, 425].map((status): Row => {
    return { name: `${status}`, replies: [says(status)], waits: [], told: [`${status}`, `says ${status}`] };
  }),
];

const special: readonly Row[] = [
  { name: '304', replies: [says(304)], waits: [], told: [] },
  { name: '503 twice, then 202', replies: [says(503), says(503), { status: 202 }], waits: [200, 400], told: undefined },
  { name: '500, then 400', replies: [says(500), says(400)], waits: [200], told: ['400', 'says 400'] },
  { name: '200 with a body', replies: [{ status: 200, body: 'OK' }], waits: retried, told: [] },
  {
    name: '200 with JSON',
    replies: [{ status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' }],
    waits: retried,
    told: [],
  },
  {
    name: '200 with a structured CloudEvent that is none',
    replies: [{ status: 200, headers: { 'content-type': 'application/cloudevents+json' }, body: '{}' }],
    waits: retried,
    told: [],
  },
  {
    name: '503 with Retry-After, which is ignored',
    replies: [{ ...says(503), headers: { 'retry-after': '5' } }],
    waits: [200],
    told: ['503', 'says 503'],
    delivery: { retry: 1 },
  },
  { name: '500 without a body', replies: [{ status: 500 }], waits: [], told: ['500', ''], delivery: { retry: 0 } },
  {
    name: '500 with linear backoff: the first wait is none',
    replies: [says(500)],
    waits: [0, 500, 1000],
    told: ['500', 'says 500'],
    delivery: { backoff: 'linear', backoffDelayMs: 500 },
  },
];

suite('a function that answers', () => {
  for (const { name, replies, waits, told, delivery } of [...statuses, ...special]) {
    const then = told === undefined ? 'and has it' : 'and then it is a dead letter';
    test(`${name} is asked ${waits.length + 1} times, ${then}`, async (t) => {
      const subscriber = await startSubscriber(t, ({ path }, before) =>
        path === '/dead'
          ? { status: 200, body: 'any body is fine here' }
          : replies[Math.min(before, replies.length - 1)],
      );
      const sink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
      const trigger = aTrigger(`${subscriber.url}/fn`, {
        delivery: { ...usualDelivery, deadLetterSink: sink, ...delivery },
      });
      const started = startBroker(t, aBroker(), { triggers: [trigger] });

      assert.equal((await started.broker.ingress(anEvent('e-1'))).status, 202);

      assert.deepEqual(started.waits, waits);
      assert.deepEqual(subscriber.ids('/fn'), new Array(waits.length + 1).fill('e-1'));
      const delivered = hopsOf(started.hops, 'delivered');
      assert.deepEqual(
        delivered.map(({ attempt }) => attempt),
        waits.map((_, index) => index + 1).concat(waits.length + 1),
      );
      const letters = subscriber.got.filter(({ path }) => path === '/dead');
      assert.equal(letters.length, told === undefined ? 0 : 1);
      assert.equal(hopsOf(started.hops, 'dead-lettered').length, letters.length);
      if (told === undefined) return;
      const headers = letters[0]?.headers ?? {};
      assert.equal(headers['ce-id'], 'e-1');
      assert.equal(headers['ce-knativebrokerttl'], '255');
      assert.equal(headers['prefer'], undefined);
      const [code, data] = told;
      assert.equal(headers['ce-knativeerrorcode'], code);
      assert.equal(headers['ce-knativeerrordest'], code === undefined ? undefined : `${subscriber.url}/fn`);
      assert.equal(headers['ce-knativeerrordata'], data === undefined ? undefined : btoa(data));
    });
  }
});

test('nobody listens: four tries, and the dead letter says so', async (t) => {
  const subscriber = await startSubscriber(t, () => ({ status: 202 }));
  const gone = await nobody();
  const delivery: Delivery = { ...usualDelivery, deadLetterSink: { kind: 'uri', uri: subscriber.url } };
  const { broker, waits, hops } = startBroker(t, aBroker(), { triggers: [aTrigger(gone, { delivery })] });
  assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
  assert.deepEqual(waits, retried);
  const headers = subscriber.got[0]?.headers ?? {};
  assert.equal(headers['ce-knativeerrorcode'], '500');
  assert.equal(headers['ce-knativeerrordest'], gone);
  assert.equal(
    atob(String(headers['ce-knativeerrordata'])),
    `dispatch error: Post "${gone}": dial tcp ${new URL(gone).host}: connect: connection refused`,
  );
  assert.ok(hopsOf(hops, 'delivered').every(({ status, why }) => status === 0 && why?.includes('connection refused')));
});

test('a function that never answers: each try has its time, and the dead letter says nothing of it', async (t) => {
  const subscriber = await startSubscriber(t, ({ path }) => (path === '/dead' ? { status: 202 } : undefined));
  const deadLetterSink = { kind: 'uri', uri: `${subscriber.url}/dead` } as const;
  const delivery: Delivery = { retry: 2, backoff: 'linear', backoffDelayMs: 500, timeoutMs: 25, deadLetterSink };
  const trigger = aTrigger(`${subscriber.url}/fn`, { delivery });
  const { broker, waits, hops } = startBroker(t, aBroker(), { triggers: [trigger] });
  assert.equal((await broker.ingress(anEvent('e-1'))).status, 202);
  assert.deepEqual(waits, [0, 500]);
  assert.equal(subscriber.ids('/fn').length, 3);
  assert.deepEqual(subscriber.ids('/dead'), ['e-1']);
  assert.equal(subscriber.got.at(-1)?.headers['ce-knativeerrorcode'], undefined);
  for (const { ms } of hopsOf(hops, 'delivered')) assert.ok(ms >= 23 && ms < 2000, `${ms} ms`);
});
