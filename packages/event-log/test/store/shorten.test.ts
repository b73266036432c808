import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outgoingOf } from '../../replay/outgoing.ts';
import { lastObjects } from '../../store/last-objects.ts';
import { toEvent, toEventRow } from '../../store/row.ts';
import { received } from './event.ts';

const limit = 64 * 1024;
const metadata = { name: 'hello', namespace: 'shop', uid: 'u', resourceVersion: '7', labels: { a: 'b' } };
const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text: 'x'.repeat(2_000_000) } };
const kept = (parts: Parameters<typeof received>[0]) => {
  const row = toEventRow(received(parts), 0);
  const texts = [row.id, row.source, row.type, row.time, row.kind, row.namespace, row.name, row.extensions, row.data];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  assert.ok(bytes <= limit, `${bytes} bytes`);
  const columns = [row.uid, row.version, row.owner, row.spec_hash, row.status_hash].join('').length;
  assert.ok(row.size >= bytes + columns && row.size <= bytes + 400, 'what it takes is counted');
  return toEvent({ ...row, seq: 1 });
};

test('of an event of 2 MB at most 64 KiB are kept: what it is about, marked with its length', () => {
  const event = kept({ data: message });
  assert.deepEqual(event.data, { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: '[not kept]' });
  assert.ok((event.shortened ?? 0) > 2_000_000);
});

test('an event of 64 KiB is whole, and one byte more is not', () => {
  const taken = JSON.stringify(kept({ data: '' }));
  const { data: _, seq, recorded, extensions, ...rest } = JSON.parse(taken) as Record<string, unknown>;
  const attributes = Object.values(rest).join('').length + JSON.stringify(extensions).length;
  const data = 'x'.repeat(limit - attributes - 2);
  assert.deepEqual([kept({ data }).data, kept({ data }).shortened], [data, undefined]);
  const more = kept({ data: `${data}x` });
  assert.deepEqual([more.data, more.shortened], [undefined, limit + 1]);
});

test('of metadata that is too large the name is kept, and of many extensions the short ones', () => {
  const large = { ...message, metadata: { ...metadata, finalizers: ['x'.repeat(limit)] } };
  const wanted = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, '[not kept]': '[not kept]' };
  assert.deepEqual(kept({ data: large }).data, wanted);
  const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`label-${n}`, 'x'.repeat(20)]));
  const { labels: _, ...named } = metadata;
  assert.deepEqual(kept({ data: { ...message, metadata: { ...metadata, labels } } }).data, {
    ...wanted,
    metadata: named,
  });
  const { extensions } = kept({ extensions: { color: 'red', long: 'x'.repeat(100_000) }, data: { a: 1 } });
  assert.deepEqual(extensions, { apiversion: 'v1', color: 'red' });
});

test('an event whose attributes alone are more is refused for good', () => {
  assert.throws(() => kept({ id: 'x'.repeat(limit) }), { code: 'too-large' });
});

test('one that was shortened says so when it is sent again, and no object is made of it', async () => {
  const event = kept({ data: message, type: 'dev.knative.apiserver.resource.add', extensions: { kind: 'Message' } });
  const { knudgereplay, knudgeshortened } = outgoingOf(event).extensions;
  assert.deepEqual([knudgereplay, knudgeshortened], ['true', String(event.shortened)]);
  assert.equal('knudgeshortened' in outgoingOf(kept({ data: 1 })).extensions, false);
  const { objects, incomplete } = await lastObjects(streamOf(event));
  assert.deepEqual([objects, incomplete.map(({ name }) => name)], [[], ['hello']]);
});

async function* streamOf<Item>(...items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
