import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventFor } from '../../cluster/event.ts';
import { recordNotice } from '../../cluster/record.ts';
import type { KnudgeError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/plan.ts';
import { failure, live, transportTo } from './build.ts';
import { type Reply, serve } from './loopback.ts';

const notice: Notice = { type: 'Warning', reason: 'Conflict', note: 'Service shop/web is not ours' };
const stamp = { now: '2026-01-01T00:00:00.123Z', instance: 'pod-1' };

test('an Event has all that the API server asks for', () => {
  const { metadata, ...event } = eventFor(live(), notice, stamp);
  assert.match(metadata.name, /^web\.[0-9a-f]{16}$/);
  assert.equal(metadata.namespace, 'shop');
  assert.deepEqual(event, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '2026-01-01T00:00:00.123000Z',
    type: 'Warning',
    reason: 'Conflict',
    action: 'Reconcile',
    note: 'Service shop/web is not ours',
    reportingController: 'knudge.dev/controller',
    reportingInstance: 'pod-1',
    regarding: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'web',
      uid: 'u-1',
      resourceVersion: '7',
    },
  });
});

test('time without milliseconds gets them', () => {
  assert.equal(
    eventFor(live(), notice, { ...stamp, now: '2026-01-01T00:00:00Z' }).eventTime,
    '2026-01-01T00:00:00.000000Z',
  );
});

for (const [name, about, said] of [
  ['another version', live({ resourceVersion: '8' }), notice],
  ['another uid', live({ uid: 'u-2' }), notice],
  ['another reason', live(), { ...notice, reason: 'Other' }],
  ['another note', live(), { ...notice, note: 'other' }],
  ['another type', live(), { ...notice, type: 'Normal' }],
] as const) {
  test(`${name} makes another Event`, () => {
    assert.notEqual(eventFor(about, said, stamp).metadata.name, eventFor(live(), notice, stamp).metadata.name);
  });
}

test('the same said later or by somebody else is the same Event', () => {
  const later = eventFor(live(), notice, { now: '2027-01-01T00:00:00Z', instance: 'pod-2' });
  assert.equal(later.metadata.name, eventFor(live(), notice, stamp).metadata.name);
});

test('long names and notes are cut to what the API server takes', () => {
  const event = eventFor(
    live({ name: `${'a'.repeat(235)}.${'b'.repeat(17)}` }),
    { ...notice, note: '😀'.repeat(1000) },
    stamp,
  );
  assert.ok(event.metadata.name.length <= 253);
  assert.match(event.metadata.name, /^a{235}\.[0-9a-f]{16}$/);
  assert.equal(event.note, '😀'.repeat(256));
});

test('an Event about a cluster-scoped object lives in the namespace default', () => {
  const about = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  assert.equal(eventFor(about, notice, stamp).metadata.namespace, 'default');
});

for (const [name, reply, lost] of [
  ['was written', { status: 201, body: 'event' }, []],
  ['exists already', { status: 409, body: failure(409, 'AlreadyExists') }, []],
  [
    'is not permitted',
    { status: 403, body: failure(403, 'Forbidden', 'User "x" cannot create resource') },
    ['not-permitted'],
  ],
  ['met a server that is down', { status: 503 }, ['outcome-unknown']],
] as const satisfies readonly (readonly [string, Reply, readonly string[]])[]) {
  test(`an Event that ${name} fails nothing`, async (t) => {
    const server = await serve(t, ({ body }) => ({
      ...reply,
      body: reply.status === 201 ? body : 'body' in reply ? reply.body : {},
    }));
    const told: string[] = [];
    const onLost = (error: KnudgeError) => void told.push(error.code);
    await recordNotice(transportTo(server.url), { about: live(), notice }, { instance: 'pod-1', now: () => 0, onLost });
    assert.deepEqual(
      [told, server.seen.map(({ url }) => url)],
      [lost, ['/apis/events.k8s.io/v1/namespaces/shop/events?fieldManager=knudge']],
    );
  });
}
