import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Delivery, Written } from '../../../controller/domain/delivery.ts';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import type { Cause } from '../../api/causes.ts';
import type { History } from '../../api/history.ts';
import type { Lineage } from '../../api/lineage.ts';
import { logOverHttp } from '../../api/over-http.ts';
import { delivered } from '../store/delivery-cases.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { serveLog } from './serve-log.ts';

let log: EventLog;
let served: Awaited<ReturnType<typeof serveLog>>;

const resource = 'dev.knative.apiserver.resource';
const write = (parts: Partial<Written>): Written => ({
  do: 'create',
  kind: 'Pod',
  namespace: 'shop',
  name: 'msg-hello',
  uid: 'u-p',
  resourceVersion: '2',
  ...parts,
});

async function event([id, type]: readonly [string, string], kind: string, object?: object): Promise<void> {
  const name = kind === 'Pod' ? 'msg-hello' : kind === 'Secret' ? 'token' : 'hello';
  const data = object && { apiVersion: 'v1', kind, ...object };
  await log.append(received({ id, type, extensions: { kind, namespace: 'shop', name }, data }));
}

const message = (resourceVersion: string, text: string, status?: object) => ({
  metadata: {
    name: 'hello',
    uid: 'u-m',
    resourceVersion,
    managedFields: [{ manager: 'kubectl', time: resourceVersion }],
  },
  spec: { text },
  ...(status && { status }),
});
const pod = (resourceVersion: string) => ({ metadata: { name: 'msg-hello', uid: 'u-p', resourceVersion } });

before(async () => {
  log = await freshLog(() => Date.parse('2026-03-01T12:00:01Z'));
  await event(['e-1', `${resource}.add`], 'Message', message('1', 'a'));
  await event(['e-2', `${resource}.add`], 'Pod', pod('2'));
  await event(['e-3', `${resource}.update`], 'Message', message('3', 'a', { phase: 'Pending' }));
  await event(['e-4', `${resource}.delete`], 'Pod', pod('9'));
  await event(['e-5', 'dev.knative.apiserver.ref.update'], 'Secret');
  await log.append({
    ...received({ id: 'e-1/u-m', type: 'dev.knudge.resync.requested' }),
    source: '/knudge/users-of-an-input',
  });
  const leaving = { ...pod('8').metadata, deletionTimestamp: '2026-03-01T12:00:00Z' };
  await event(['e-7', `${resource}.update`], 'Pod', { metadata: leaving });
  const status = write({ do: 'status', kind: 'Message', name: 'hello', uid: 'u-m', resourceVersion: '3' });
  await log.appendDeliveries([
    delivered({ written: [write({}), status] }),
    delivered({
      event: { id: 'e-3', source: '/s' },
      at: '2026-03-01T12:00:00.500Z',
      written: [
        write({ do: 'delete', resourceVersion: '' }),
        write({ kind: 'Secret', name: 'token', uid: 'u-s', shared: true }),
      ],
    }),
  ]);
  served = await serveLog({ log, send: async () => undefined });
});
after(async () => {
  served.close();
  await log.close();
});

async function get<Answer>(path: string, wanted = 200): Promise<Answer> {
  const answer = await fetch(`${served.url}${path}`);
  assert.equal(answer.status, wanted, path);
  return (await answer.json()) as Answer;
}

const flat = (causes: readonly Cause[]): readonly unknown[] =>
  causes.flatMap(({ by, event: of, causes: former }) => [[by, of?.id], ...flat(former)]);

suite('GET /events/{seq}/chain', () => {
  for (const [seq, sentence, wanted] of [
    [1, 'what came from outside has no cause', []],
    [2, 'a version', [['version', 'e-1']]],
    [
      4,
      'a deletion, by what was deleted, and on upwards',
      [
        ['uid', 'e-3'],
        ['version', 'e-1'],
      ],
    ],
    [
      5,
      'an event without a version, by name and time',
      [
        ['name', 'e-3'],
        ['version', 'e-1'],
      ],
    ],
    [6, 'an event that was sent, by its id', [['id', 'e-1']]],
    [
      7,
      'a version that a deletion made on its way',
      [
        ['uid', 'e-3'],
        ['version', 'e-1'],
      ],
    ],
  ] as const) {
    test(`goes up: ${sentence}`, async () => {
      const { event: of, causes } = await get<Lineage>(`/events/${seq}/chain`);
      assert.deepEqual([of.seq, flat(causes)], [seq, wanted]);
    });
  }
  test('goes down: from a delivery to its writes, their events, and what became of those', async () => {
    const { deliveries, cut } = await get<Lineage>('/events/1/chain');
    const made = deliveries[0]?.made ?? [];
    assert.deepEqual(
      made.map(({ write: one, events }) => [one.do, events.map(({ id }) => id)]),
      [
        ['create', ['e-2']],
        ['status', ['e-3']],
      ],
    );
    const [further] = made[1]?.events[0]?.deliveries ?? [];
    assert.deepEqual(
      further?.made.map(({ events }) => events.map(({ id }) => id)),
      [['e-7', 'e-4'], []],
    );
    assert.equal(cut, undefined);
  });
  test('is 404 where there is no such event', () => get('/events/99/chain', 404));
});

test('GET /deliveries lists them page by page, and a reader over HTTP reads the same', async () => {
  const first = await get<{ deliveries: readonly Delivery[]; next?: string }>('/deliveries?limit=1');
  assert.deepEqual([first.deliveries[0]?.seq, first.next], [2, '/deliveries?limit=1&before=2']);
  const second = await get<typeof first>(`${first.next ?? ''}`);
  assert.deepEqual([second.deliveries[0]?.seq, second.deliveries[0]?.event.seq], [1, 1]);
  const page = { order: 'oldest-first', limit: 10 } as const;
  const over = logOverHttp({ url: served.url });
  assert.deepEqual(await over.deliveries({ uid: 'u-p' }, page), await log.deliveries({ uid: 'u-p' }, page));
  assert.deepEqual(
    (await over.events({ q: 'TOKEN' }, page)).map(({ id }) => id),
    ['e-5'],
  );
  assert.deepEqual(
    (await over.events({ changed: 'status' }, page)).map(({ id }) => id),
    ['e-3'],
  );
  for (const wrong of ['/deliveries?x=1', '/deliveries?event=x', '/events?changed=name', '/dead-letters?q=x'])
    await get(wrong, 400);
});

suite('GET /objects/{kind}/{namespace}/{name}/history', () => {
  test('gives the versions, newest first: what changed, who wrote it, why, and what Knudge did', async () => {
    const { object, versions, next } = await get<History>('/objects/Message/shop/hello/history');
    assert.deepEqual([object, next], [{ kind: 'Message', namespace: 'shop', name: 'hello' }, undefined]);
    const [newer, older] = versions;
    assert.deepEqual(newer?.changes, [{ field: '/status', after: { phase: 'Pending' } }]);
    assert.deepEqual([newer.by, newer.causes[0]?.event?.id], [{ manager: 'kubectl', at: '3' }, 'e-1']);
    assert.deepEqual([newer.resourceVersion, newer.deliveries.map(({ outcome }) => outcome)], ['3', ['done']]);
    assert.deepEqual(older?.changes, [
      { field: '/spec', after: { text: 'a' } },
      { field: '/metadata', after: {} },
    ]);
    assert.deepEqual(older.causes, []);
  });
  test('page by page', async () => {
    const { versions, next } = await get<History>('/objects/Message/shop/hello/history?limit=1');
    assert.deepEqual([versions.length, next], [1, { before: 3 }]);
    assert.deepEqual(versions[0]?.changes, [{ field: '/status', after: { phase: 'Pending' } }]);
    await get('/objects/Message/shop/hello/history?order=newest-first', 400);
    await get('/objects/Message/shop/hello', 400);
  });
});
