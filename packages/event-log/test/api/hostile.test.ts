import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import { summarised } from '../../api/summaries.ts';
import { lastObjects } from '../../store/last-objects.ts';
import { delivered } from '../store/delivery-cases.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { openStream } from './open-stream.ts';
import { askLog, serveLog } from './serve-log.ts';

const meta = (parts: object) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', uid: 'u', ...parts } });

/** What a sender may write where an object has something else. */
const hostile: Readonly<Record<string, unknown>> = {
  null: null,
  text: 'x',
  number: 7,
  list: [1, null],
  'metadata null': { metadata: null },
  'metadata text': { metadata: 'x' },
  'metadata list': { metadata: [null] },
  'no metadata': { spec: null },
  'managedFields null': meta({ managedFields: null }),
  'managedFields text': meta({ managedFields: 'x' }),
  'managedFields object': meta({ managedFields: { length: 2 } }),
  'entries null': meta({ managedFields: [null] }),
  'entries of other types': meta({
    managedFields: [7, 'x', [], { manager: 7, time: {} }, { manager: {}, time: null }],
  }),
  'uid number': meta({ uid: 7, resourceVersion: {} }),
  'version list': meta({ resourceVersion: ['1'], deletionTimestamp: null }),
  'lists that are texts': meta({ finalizers: 'x', labels: 7, annotations: 'x', ownerReferences: null }),
  'finalizers of other types': meta({ finalizers: [null, 7, {}], annotations: null, creationTimestamp: 7 }),
  'apiVersion null': { ...meta({}), apiVersion: null, kind: 7 },
  'name number': meta({ name: 7 }),
  'spec and status of other types': { ...meta({ resourceVersion: '5' }), spec: 'x', status: [null] },
  'names of prototypes': { ...meta({}), spec: { constructor: null, toString: 1 }, status: { ['__proto__']: null } },
};
const types = ['add', 'update', 'delete'].map((verb) => `dev.knative.apiserver.resource.${verb}`);

let log: EventLog;
let served: Awaited<ReturnType<typeof serveLog>>;
let count = 0;

before(async () => {
  log = await freshLog();
  for (const data of Object.values(hostile)) {
    for (const type of [...types, 'constructor']) {
      count += 1;
      const event = { id: `e-${count}`, type, extensions: { kind: 'Thing', name: 'x' }, data };
      await log.append(received(event));
      await log.appendDeadLetter(received(event));
      const of = { event: { id: event.id, source: '/s' } };
      const write = { kind: 'Thing', namespace: 'shop', name: 'x', uid: 'u', resourceVersion: '' };
      await log.appendDeliveries([
        delivered({
          ...of,
          written: [
            { do: 'create', ...write },
            { do: 'delete', ...write },
          ],
        }),
      ]);
    }
  }
  await log.append({ ...received({ id: 'e-1/u', type: 'constructor' }), source: 'constructor' });
  served = await serveLog({ log, send: async () => undefined });
});
after(async () => {
  served.close();
  await log.close();
});

suite('whatever an event says of an object', () => {
  for (const path of [
    ...[
      '/events',
      '/events?changed=spec',
      '/events?changed=status',
      '/events?chain=true',
      '/dead-letters',
      '/deliveries',
    ],
    ...['/objects/Thing/shop/x/history?limit=200', '/gaps'],
  ]) {
    test(`GET ${path} answers`, async () => assert.equal((await fetch(`${served.url}${path}`)).status, 200));
  }

  test('each event and its chain are shown', async () => {
    const wrong: string[] = [];
    for (let seq = 1; seq <= count + 1; seq += 1) {
      for (const path of [`/events/${seq}`, `/events/${seq}/chain`]) {
        const answer = await fetch(`${served.url}${path}`);
        if (answer.status !== 200) wrong.push(`${path}: ${await answer.text()}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test('each is in a list with its summary, whose texts are texts', async () => {
    const page = await log.events({}, { order: 'newest-first', limit: 500 });
    const all = await summarised(log, page);
    assert.deepEqual([all.length, new Set(all.map(({ by }) => typeof by))], [count + 1, new Set(['undefined'])]);
  });

  test('the last objects are found', async () => {
    const page = await log.events({}, { order: 'oldest-first', limit: 500 });
    await lastObjects(
      (async function* () {
        for (const event of page) yield* [event];
      })(),
    );
  });

  test('a stream shows all', async (context) => {
    const stream = await openStream(context, `${served.url}/stream?after=0`);
    await stream.take(count + 1);
  });

  test('they are listed for a replay, sent again, and their dead letters too', async () => {
    const parts = { log, send: async () => undefined };
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    for (const body of ['{"dryRun":true}', '{"rate":1000,"limit":90}'])
      assert.equal((await askLog('/replay', { method: 'POST', body }, parts)).status, 200);
    for (let seq = 1; seq <= count; seq += 1)
      assert.equal((await fetch(`${served.url}/dead-letters/${seq}/retry`, json)).status, 200);
  });
});
