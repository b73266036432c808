import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { counted, type Metered, type Within } from '../../cluster/counted.ts';
import { refOf } from '../../domain/kube-object.ts';
import { configMap } from './build.ts';
import { serve } from './loopback.ts';

const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', labelSelector: '' };
const preconditionOf = ({ metadata: { uid = '', resourceVersion = '' } }: ReturnType<typeof configMap>) => ({
  uid,
  resourceVersion,
});

test('reads, writes and notices are counted apart', async () => {
  const { reader, writer, counts } = counted(memoryCluster());
  assert.deepEqual(counts(), { reads: 0, writes: 0, notices: 0 });
  const created = await writer.create(distributedService());
  const ref = refOf(created);
  await reader.get(ref);
  await reader.getMetadata(ref);
  await reader.list(query);
  assert.deepEqual(counts(), { reads: 3, writes: 1, notices: 0 });
  const applied = await writer.apply(distributedService(), created);
  const kept = await writer.finalizers(ref, preconditionOf(applied), ['a/b']);
  const told = await writer.status(ref, preconditionOf(kept), { conditions: [] });
  await writer.scale(ref, preconditionOf(told), 1);
  await writer.notice(created, { type: 'Normal', reason: 'Done', note: 'done' });
  assert.deepEqual(counts(), { reads: 3, writes: 5, notices: 1 });
});

test('a write that fails was a write', async () => {
  const { writer, counts } = counted(memoryCluster());
  const precondition = { uid: 'u', resourceVersion: '1' };
  await assert.rejects(writer.delete(refOf(configMap()), precondition, 'Background'), { code: 'gone' });
  assert.equal(counts().writes, 1);
});

test('each count begins at nothing', async () => {
  const cluster = memoryCluster();
  await counted(cluster).writer.create(configMap());
  assert.equal(counted(cluster).counts().writes, 0);
});

const about = 'to make this right';
const most: Within = {
  budget: { reads: 2, writes: 1, bytes: 100 },
  about,
  milliseconds: 1000,
  elapsed: () => 0,
};
const late = { code: 'throttled', status: 429, retryAfterSeconds: 60 };

test('who reads too much is asked for patience, and nothing more is read', async () => {
  const cluster = memoryCluster();
  const { reader, counts, isSpent } = counted(cluster, most);
  for (const _ of [1, 2]) await reader.list(query);
  assert.equal(isSpent(), false);
  const message = `${about} takes more than 2 reads, which is over the limit: the resync tries it again`;
  await assert.rejects(reader.list(query), { ...late, message });
  await assert.rejects(reader.get(refOf(configMap())), late);
  await assert.rejects(reader.getMetadata(refOf(configMap())), late);
  assert.deepEqual([counts().reads, cluster.calls.length, isSpent()], [2, 2, true]);
});

test('who writes too much is asked for patience, and nothing more is written', async () => {
  const cluster = memoryCluster();
  const { writer, counts } = counted(cluster, most);
  const created = await writer.create(configMap());
  const ref = refOf(created);
  const precondition = preconditionOf(created);
  await assert.rejects(writer.create(configMap()), { ...late, message: /more than 1 writes/ });
  await assert.rejects(writer.apply(configMap(), created), late);
  await assert.rejects(writer.delete(ref, precondition, 'Background'), late);
  await assert.rejects(writer.scale(ref, precondition, 1), late);
  await assert.rejects(writer.finalizers(ref, precondition, []), late);
  await assert.rejects(writer.status(ref, precondition, { conditions: [] }), late);
  assert.deepEqual([counts().writes, cluster.calls.length], [1, 1]);
});

test('as many writes may be tried as may be made, they count as none, and nothing of them is there', async () => {
  const cluster = memoryCluster();
  let now = 0;
  const { trial, writer, counts, allow } = counted(cluster, { ...most, elapsed: () => now });
  const { create, scale } = (await trial?.()) ?? assert.fail();
  await create(configMap());
  await assert.rejects(create(configMap()), { ...late, message: /more than 1 writes/ });
  assert.deepEqual([counts().writes, cluster.objects().some(({ kind }) => kind === 'ConfigMap')], [0, false]);
  const created = await writer.create(configMap());
  allow({ reads: 0, writes: 9, bytes: 0 });
  now = 1001;
  await assert.rejects(scale(refOf(created), preconditionOf(created), 1), { code: 'unavailable' });
});

test('what is allowed besides may be asked besides', async () => {
  const { reader, allow } = counted(memoryCluster(), most);
  allow({ reads: 1, writes: 0, bytes: 0 });
  for (const _ of [1, 2, 3]) await reader.list(query);
  await assert.rejects(reader.list(query), late);
});

test('an answer that makes the bytes too many is the last', async () => {
  const cluster = memoryCluster();
  let length = 60;
  const metered: Metered = {
    ...cluster,
    metered: (hear) => ({
      ...cluster,
      list: async (asked) => {
        hear(length);
        return cluster.list(asked);
      },
    }),
  };
  const { reader, isSpent } = counted(metered, { ...most, budget: { ...most.budget, reads: 10 } });
  await reader.list(query);
  length = 41;
  await assert.rejects(reader.list(query), { ...late, message: /more than 100 bytes/ });
  await assert.rejects(reader.get(refOf(configMap())), late);
  assert.deepEqual([cluster.calls.length, isSpent()], [1, true]);
});

test('when the time is over nothing more is asked, and that was not too much', async () => {
  const cluster = memoryCluster();
  let now = 5000;
  const { reader, writer, isSpent, insistOnTime } = counted(cluster, { ...most, elapsed: () => now });
  now += 1000;
  insistOnTime();
  await reader.list(query);
  now += 1;
  const over = { code: 'unavailable', message: `${about} took more than 1 s: the next try goes on from there` };
  await assert.rejects(reader.list(query), over);
  await assert.rejects(writer.create(configMap()), over);
  assert.throws(insistOnTime, over);
  assert.deepEqual([cluster.calls.length, isSpent()], [1, false]);
});

test('a list ends with the page that makes the bytes too many', async (t) => {
  const item = { metadata: { name: 'web', namespace: 'shop', annotations: { long: 'x'.repeat(1000) } } };
  const body = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { continue: 'more' }, items: [item] };
  const server = await serve(t, () => ({ body }));
  const cluster = createCluster({
    access: { server: server.url, credentials: async () => ({}) },
    version: 'test',
    instance: 'test',
    onLostNotice: () => {},
  });
  t.after(() => cluster.close());
  const { reader, counts } = counted(cluster, { ...most, budget: { reads: 1, writes: 0, bytes: 10_000 } });
  await assert.rejects(reader.list(query), { ...late, message: /more than 10000 bytes/ });
  assert.deepEqual([server.seen.length, counts().reads], [9, 1]);
});
