import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../src/domain/kube-object.ts';
import { counted } from '../../src/kube/counted.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { configMap } from './build.ts';

const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', labelSelector: '' };
const preconditionOf = ({ metadata: { uid = '', resourceVersion = '' } }: ReturnType<typeof configMap>) => ({
  uid,
  resourceVersion,
});

test('reads, writes and notices are counted apart', async () => {
  const { reader, writer, counts } = counted(memoryCluster());
  assert.deepEqual(counts(), { reads: 0, writes: 0, notices: 0 });
  const created = await writer.create(configMap());
  const ref = refOf(created);
  await reader.get(ref);
  await reader.getMetadata(ref);
  await reader.list(query);
  assert.deepEqual(counts(), { reads: 3, writes: 1, notices: 0 });
  const applied = await writer.apply(configMap(), created);
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

test('who asks too much is asked for patience, and nothing more is read', async () => {
  const cluster = memoryCluster();
  const { reader, counts } = counted(cluster, 2);
  for (const _ of [1, 2]) await reader.list(query);
  const late = { code: 'throttled', status: 429, retryAfterSeconds: 60 };
  await assert.rejects(reader.list(query), late);
  await assert.rejects(reader.get(refOf(configMap())), late);
  assert.deepEqual([counts().reads, cluster.calls.length], [2, 2]);
});
