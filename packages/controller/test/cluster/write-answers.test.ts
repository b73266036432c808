import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyObject } from '../../cluster/apply.ts';
import { readMetadata, readObject } from '../../cluster/read.ts';
import { applyStatus } from '../../cluster/status.ts';
import { configMap, errorOf, failure, live, ref, transportTo } from './build.ts';
import { type Reply, serve } from './loopback.ts';

const precondition = { uid: 'u-1', resourceVersion: '7' };
const posted = { managedFields: [{ manager: 'knudge', operation: 'Update' }] };

test('the ownership that cannot be renamed because the object changed is a conflict, and nothing is applied', async (t) => {
  const replies: readonly Reply[] = [
    { status: 422, body: { ...failure(422, 'Invalid'), details: {} } },
    { status: 404, body: failure(404, 'NotFound') },
  ];
  const server = await serve(t, (_, __, count) => replies[count - 1]);
  const transport = transportTo(server.url);
  for (const _ of replies)
    assert.equal((await errorOf(applyObject(transport, { object: configMap(), live: live(posted) }))).code, 'conflict');
  assert.equal(server.seen.length, 2);
});

test('metadata alone is asked for as such, and data that comes anyway is not handed on', async (t) => {
  const metadata = { name: 'web', namespace: 'shop' };
  const server = await serve(t, () => ({
    body: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata, data: { a: 'canary' } },
  }));
  assert.deepEqual(await readMetadata(transportTo(server.url), ref), { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  assert.equal(server.seen[0]?.headers.accept, 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
});

for (const [name, body] of [
  ['another kind', { ...live(), kind: 'Secret' }],
  ['another name', live({ name: 'other' })],
  ['no metadata', { apiVersion: 'v1', kind: 'ConfigMap' }],
  ['a list', [live()]],
] as const) {
  test(`an answer with ${name} is nothing to go on, and after a write its outcome is unknown`, async (t) => {
    const server = await serve(t, () => ({ body }));
    const transport = transportTo(server.url);
    assert.equal((await errorOf(readObject(transport, ref))).code, 'unexpected-answer');
    assert.equal(
      (await errorOf(applyObject(transport, { object: configMap(), live: live() }))).code,
      'outcome-unknown',
    );
  });
}

test('a status that reached another object is a conflict', async (t) => {
  const server = await serve(t, () => ({ body: live({ uid: 'u-2' }) }));
  const error = await errorOf(applyStatus(transportTo(server.url), { ref, precondition, status: { conditions: [] } }));
  assert.equal(error.code, 'conflict');
});
