import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, path } from '../../controller/test/cluster/watch-api.ts';
import { aBench, expired, isAt, limits, listOf, pod } from './bench.ts';

test('the file is that of whoever opened it last: the other ends, and its late notes are not written', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('web', '3', { phase: 'Running' })));
  let mayTell = false;
  const over: string[] = [];
  const slow = start({
    send: async ({ event }) => (event.data.toString().startsWith('add') ? true : mayTell),
    takenOver: () => over.push('slow'),
    limits: { ...limits, commitMs: 300 },
  });
  await isAt(slow, '10');
  await eventually('it watches', () => api.watches().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  api.push(path, 'MODIFIED', pod('web', '12', { phase: 'Pending' }));
  await eventually('it was tried', () => slow.counts().failed > 0);
  api.next('watch', expired);
  // The first list is the look where the API server is.
  api.next('list', listOf('10'));
  api.next('list', listOf('13', pod('web', '13', { phase: 'Running' })));
  const quick = start();
  await isAt(quick, '13');
  mayTell = true;
  await eventually('the slow one has ended', () => over.length > 0);
  await eventually('both have watched', () => api.watches().length >= 3);
  assert.deepEqual(over, ['slow']);
  taken.length = 0;
  api.push(path, 'MODIFIED', pod('web', '14', { phase: 'Pending' }));
  await isAt(quick, '14');
  assert.deepEqual(taken, ['update shop/web 14']);
});

test('told, not yet in the file, killed; then the place is too old: what is gone by then, or as it was before, is told', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('web', '3', { phase: 'Running' })));
  const first = start();
  await isAt(first, '10');
  await eventually('it watches', () => api.watches().length === 1);
  await first.close();
  // What it tells from now on is never noted as taken, as if it were killed within a second.
  const killed = start({ limits: { ...limits, commitMs: 1_000_000 } });
  await eventually('it watches', () => api.watches().length === 2);
  api.push(path, 'ADDED', pod('new', '11'));
  api.push(path, 'MODIFIED', pod('web', '12', { phase: 'Pending' }));
  await isAt(killed, '12');
  api.next('watch', expired);
  // The first list is the look where the API server is.
  api.next('list', listOf('10'));
  api.next('list', listOf('90', pod('web', '80', { phase: 'Running' })));
  const next = start();
  await isAt(next, '90');
  assert.deepEqual(taken.slice(3).toSorted(), ['delete shop/new 11', 'update shop/web 80']);
});

test('killed while the end of an object waits, and another one of its name behind it; then the place is too old: that end is told', async (t) => {
  const { api, taken, refused, start } = await aBench(t);
  api.next('list', listOf('10', pod('web', '3', { uid: 'first' })));
  const first = start();
  await isAt(first, '10');
  await eventually('it watches', () => api.watches().length === 1);
  await first.close();
  const killed = start({ limits: { ...limits, commitMs: 1_000_000 } });
  await eventually('it watches', () => api.watches().length === 2);
  refused.add('shop/web');
  api.push(path, 'DELETED', pod('web', '11', { uid: 'first' }));
  api.push(path, 'ADDED', pod('web', '12', { uid: 'second' }));
  await eventually('both wait', () => killed.counts().waiting === 2 && killed.counts().failed > 0);
  api.next('watch', expired);
  // The first list is the look where the API server is.
  api.next('list', listOf('10'));
  api.next('list', listOf('90', pod('web', '12', { uid: 'second' })));
  refused.clear();
  taken.length = 0;
  const next = start({ send: async ({ event }) => taken.push(`next ${event.data.toString()}`) > 0 });
  await isAt(next, '90');
  const ofNext = taken.filter((one) => one.startsWith('next'));
  assert.deepEqual(ofNext, ['next delete shop/web 3', 'next add shop/web 12']);
});
