import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventually, path } from '../../controller/test/cluster/watch-api.ts';
import { aBench, isAt, listOf, pod, pods } from './bench.ts';

test('what is other where nobody looks is not told, and the place moves on', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('a', '3', { phase: 'Running' })));
  const source = start();
  await isAt(source, '10');
  await eventually('it watches', () => api.watches().length === 1);
  api.push(path, 'MODIFIED', pod('a', '11', { phase: 'Running' }));
  api.push(path, 'MODIFIED', pod('a', '12', { phase: 'Failed' }));
  api.push(path, 'MODIFIED', pod('a', '13', { phase: 'Failed' }));
  await isAt(source, '13');
  assert.deepEqual(taken, ['add shop/a 3', 'update shop/a 12']);
  assert.equal(source.counts().leftOut, 2);
});

test('a file that is no database is put aside, and all is told', async (t) => {
  const { api, taken, start, file } = await aBench(t);
  writeFileSync(file, 'this is no database'.repeat(1000));
  api.next('list', listOf('10', pod('a', '3')));
  const anew: unknown[] = [];
  const source = start({ begunAnew: (error) => anew.push(error) });
  await isAt(source, '10');
  assert.deepEqual(taken, ['add shop/a 3']);
  assert.equal(anew.length, 1);
  assert.ok(existsSync(`${file}.broken`));
});

test('of metadata alone no more is asked for', async (t) => {
  const { api, start } = await aBench(t);
  const source = start({ watched: [{ ...pods, metadataOnly: true }] });
  await isAt(source, '10');
  await eventually('it watches', () => api.watches().length === 1);
  const accepted = api.seen.map(({ headers }) => headers['accept'] ?? '');
  assert.ok(
    accepted.every((one) => one.startsWith('application/json;as=PartialObjectMetadata')),
    accepted.join(),
  );
});
