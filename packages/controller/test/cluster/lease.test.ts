import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from '../../../kube-api/api.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Ending, Sending } from '../../cluster/exchange.ts';
import { endRound, readLease } from '../../cluster/lease.ts';
import type { Round } from '../../domain/rounds.ts';
import { ending } from '../../testing/sim/spoil.ts';
import { failure, transportTo } from './build.ts';
import { serve } from './loopback.ts';

const lease = { namespace: 'knudge', name: 'knudge-resync' };

const roundAt = (time: string, id = 'round-1'): Round => {
  const began = Date.parse(time);
  return { id, key: `key of ${id}`, before: '', began, seen: began, step: 0, tries: 1 };
};

/** The embedded API, whose schemas are the real one's, and what it was asked. */
function onEmbedded() {
  const api = createApi();
  api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'knudge' } });
  const asked: string[] = [];
  const exchange = async ({ method, url, headers, body = '' }: Sending): Promise<Ending> => {
    asked.push(`${method} ${url.pathname}${url.search}`);
    const answered = api.handle({ method, path: url.pathname, query: url.searchParams, headers, body });
    if (!('status' in answered)) throw new Error('not asked for');
    return ending(answered);
  };
  const access = { server: 'http://127.0.0.1', credentials: async () => ({}) };
  return { asked, cluster: createCluster({ access, version: 't', instance: 't', exchange, onLostNotice: () => {} }) };
}

test('a Lease that was never written has no time; written twice it has the later time', async () => {
  const { asked, cluster } = onEmbedded();
  assert.equal(await cluster.renewed(lease), undefined);
  for (const time of ['2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z']) {
    await cluster.endRound(lease, roundAt(time), true);
    assert.equal(await cluster.renewed(lease), Date.parse(time));
  }
  const path = '/apis/coordination.k8s.io/v1/namespaces/knudge/leases/knudge-resync';
  const [get, make, patch] = [
    `GET ${path}`,
    `PATCH ${path}?fieldManager=knudge&force=true`,
    `PATCH ${path}?fieldManager=knudge`,
  ];
  assert.deepEqual(asked, [get, get, make, patch, get, get, patch, get]);
});

test('a round that was slow takes no later time back, and writes nothing', async () => {
  const { asked, cluster } = onEmbedded();
  await cluster.endRound(lease, roundAt('2026-01-01T00:05:00Z', 'round-2'), true);
  const before = asked.length;
  await cluster.endRound(lease, roundAt('2026-01-01T00:00:00Z'), true);
  assert.equal(await cluster.renewed(lease), Date.parse('2026-01-01T00:05:00Z'));
  assert.ok(asked.slice(before).every((call) => call.startsWith('GET ')));
});

test('of two rounds that end at once the later time stays, whoever writes first', async () => {
  const { cluster } = onEmbedded();
  const times = ['2026-01-01T00:10:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z'];
  await Promise.all(times.map((time, index) => cluster.endRound(lease, roundAt(time, `round-${String(index)}`), true)));
  assert.equal(await cluster.renewed(lease), Date.parse('2026-01-01T00:10:00Z'));
});

test('a Lease whose time somebody took away tells of none', async (t) => {
  const metadata = { ...lease, uid: 'u', resourceVersion: '1' };
  const bodies: readonly unknown[] = [{}, { spec: {} }, { spec: { renewTime: 'soon' } }];
  const left = [...bodies];
  const { url } = await serve(t, () => ({
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, ...Object(left.shift()) },
  }));
  for (const _ of bodies) assert.equal((await readLease(transportTo(url), lease)).renewed, undefined);
});

test('an API server that may not tell is no Lease that is not there', async (t) => {
  const { url } = await serve(t, () => ({ status: 403, body: failure(403, 'Forbidden') }));
  await assert.rejects(readLease(transportTo(url), lease), { code: 'not-permitted' });
});

test('it is taken by one alone, over what was read; its time stays, and so does who took it when that is renewed', async () => {
  const { asked, cluster } = onEmbedded();
  assert.deepEqual(await cluster.kept(lease), {});
  await cluster.take(lease, 'event-1', undefined);
  const first = await cluster.kept(lease);
  assert.equal(first.taken?.by, 'event-1');
  assert.ok(Math.abs((first.taken?.at ?? 0) - Date.now()) < 5000);
  await cluster.endRound(lease, roundAt('2026-01-01T00:00:00Z'), true);
  await assert.rejects(cluster.take(lease, 'event-2', first.version), { code: 'conflict' });
  const second = await cluster.kept(lease);
  assert.deepEqual([second.taken, second.renewed], [first.taken, Date.parse('2026-01-01T00:00:00Z')]);
  await cluster.take(lease, 'event-2', second.version);
  assert.equal((await cluster.kept(lease)).taken?.by, 'event-2');
  assert.ok(asked.length > 0);
});

test('a time of the future is never kept, and one that stands there is put right', async () => {
  const { cluster } = onEmbedded();
  await cluster.endRound(lease, roundAt('2099-01-01T00:00:00Z'), true);
  const kept = (await cluster.renewed(lease)) ?? 0;
  assert.ok(Math.abs(kept - Date.now()) < 5000, new Date(kept).toISOString());
  const { version } = await cluster.kept(lease);
  await cluster.keepRound(lease, roundAt('2026-01-01T00:00:00Z'), version);
  await cluster.endRound(lease, roundAt('2026-01-01T00:00:00Z'), true);
  assert.equal(await cluster.renewed(lease), kept, 'and nothing goes back');
});

test('a time of the future that somebody has written does not stay', async (t) => {
  const metadata = { ...lease, uid: 'u', resourceVersion: '1' };
  const spec = { renewTime: '2099-01-01T00:00:00.000000Z' };
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  const { url, seen } = await serve(t, () => ({ body }));
  const round = roundAt('2026-01-01T00:00:00Z');
  await endRound(transportTo(url), lease, { round, isWhole: true, now: Date.parse('2026-01-01T00:01:00Z') });
  const patched = seen.find(({ method }) => method === 'PATCH');
  assert.equal(JSON.parse(patched?.body ?? '').spec.renewTime, '2026-01-01T00:00:00.000000Z');
});

test('a round is under way until it ends; one that has been taken over ends nobody’s', async () => {
  const { cluster } = onEmbedded();
  const [one, two] = [roundAt('2026-01-01T00:00:00Z'), roundAt('2026-01-01T00:05:00Z', 'round-2')];
  await cluster.keepRound(lease, one, undefined);
  const { round, version } = await cluster.kept(lease);
  assert.deepEqual(round, one);
  await cluster.keepRound(lease, two, version);
  await assert.rejects(cluster.keepRound(lease, one, version), { code: 'conflict' });
  assert.deepEqual(await cluster.endRound(lease, one, false), { reads: 1, writes: 0 });
  assert.deepEqual((await cluster.kept(lease)).round, two);
  assert.deepEqual(await cluster.endRound(lease, two, false), { reads: 1, writes: 1 });
  assert.deepEqual([(await cluster.kept(lease)).round, await cluster.renewed(lease)], [undefined, undefined]);
});

test('what is no round says nothing', async (t) => {
  const texts = [
    '{',
    'null',
    '7',
    '{"id":"a","key":"b","began":1,"seen":1}',
    '{"id":1,"key":"b","before":"","began":1,"seen":1,"step":0,"tries":1}',
  ];
  const left = [...texts];
  const { url } = await serve(t, () => {
    const annotations = { 'knudge.dev/round-under-way': left.shift() };
    const metadata = { ...lease, uid: 'u', resourceVersion: '1', annotations };
    return { body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata } };
  });
  for (const text of texts) assert.equal((await readLease(transportTo(url), lease)).round, undefined, text);
});

test('of two that have found no Lease one has it, also where the other begins when the first has written', async () => {
  const rounds = onEmbedded().cluster;
  assert.deepEqual(await rounds.kept(lease), {});
  await rounds.keepRound(lease, roundAt('2026-01-01T00:00:00Z'), undefined);
  const later = roundAt('2026-01-01T00:00:01Z', 'round-2');
  await assert.rejects(rounds.keepRound(lease, later, undefined), { code: 'conflict' });
  assert.equal((await rounds.kept(lease)).round?.id, 'round-1');
  const restarts = onEmbedded().cluster;
  await restarts.take(lease, 'event-1', undefined);
  await assert.rejects(restarts.take(lease, 'event-2', undefined), { code: 'conflict' });
  assert.equal((await restarts.kept(lease)).taken?.by, 'event-1');
});
