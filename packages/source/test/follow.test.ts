import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, path } from '../../controller/test/cluster/watch-api.ts';
import { aBench, expired, isAt, limits, listOf, pod } from './bench.ts';

test('the first time what is there is told, and then what happens', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('a', '3'), pod('b', '9')));
  const source = start();
  await isAt(source, '10');
  await eventually('it watches', () => api.watches().length === 1);
  api.push(path, 'MODIFIED', pod('a', '11'));
  api.push(path, 'DELETED', pod('b', '12'));
  await isAt(source, '12');
  assert.deepEqual(taken, ['add shop/a 3', 'add shop/b 9', 'update shop/a 11', 'delete shop/b 12']);
  assert.equal(api.watches()[0]?.get('resourceVersion'), '10');
});

test('the next one goes on where the one before was, and tells nothing twice', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('a', '3')));
  const first = start();
  await isAt(first, '10');
  await eventually('it watches', () => api.watches().length === 1);
  await first.close();
  const second = start();
  await eventually('it watches', () => api.watches().length === 2);
  assert.equal(api.watches()[1]?.get('resourceVersion'), '10');
  api.push(path, 'ADDED', pod('a', '3'));
  api.push(path, 'MODIFIED', pod('a', '14'));
  await isAt(second, '14');
  assert.deepEqual(taken, ['add shop/a 3', 'update shop/a 14']);
  const limits = api.lists().map((query) => query.get('limit'));
  assert.deepEqual(limits, ['100', '1'], 'the second has only looked where the API server is');
});

test('where the place is too old the list is compared with what was told', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('10', pod('a', '3'), pod('b', '4'), pod('c', '5'), pod('d', '6')));
  const first = start();
  await isAt(first, '10');
  await eventually('it watches', () => api.watches().length === 1);
  await first.close();
  taken.length = 0;
  api.next('watch', expired);
  // The first list is the look where the API server is.
  api.next('list', listOf('10'));
  api.next('list', listOf('90', pod('a', '3'), pod('b', '80'), pod('d', '81', { uid: 'another' }), pod('e', '82')));
  const second = start();
  await isAt(second, '90');
  assert.deepEqual(taken.toSorted(), [
    'add shop/d 81',
    'add shop/e 82',
    'delete shop/c 5',
    'delete shop/d 6',
    'update shop/b 80',
  ]);
  assert.ok(taken.indexOf('delete shop/d 6') < taken.indexOf('add shop/d 81'), 'the one before goes first');
});

test('a place that the API server has not come to is one of another cluster, or of before a restore: it is listed and compared', async (t) => {
  const { api, taken, start } = await aBench(t);
  api.next('list', listOf('500', pod('a', '300'), pod('b', '400')));
  const first = start();
  await isAt(first, '500');
  await eventually('it watches', () => api.watches().length === 1);
  await first.close();
  taken.length = 0;
  api.next('list', listOf('40'));
  api.next('list', listOf('40', pod('a', '31', { uid: 'another' })));
  const second = start();
  await isAt(second, '40');
  assert.deepEqual(taken.toSorted(), ['add shop/a 31', 'delete shop/a 300', 'delete shop/b 400']);
});

test('what the Broker does not take holds back its own object and the place, and nobody else', async (t) => {
  const { api, taken, refused, start } = await aBench(t);
  const source = start();
  await isAt(source, '10');
  refused.add('shop/a');
  await eventually('it watches', () => api.watches().length === 1);
  for (const one of [pod('a', '11'), pod('b', '12')]) api.push(path, 'ADDED', one);
  api.push(path, 'MODIFIED', pod('a', '13'));
  await eventually('it was tried again', () => source.counts().failed > 2);
  assert.deepEqual(taken, ['add shop/b 12']);
  assert.equal([...source.positions().values()][0], '10');
  refused.clear();
  await isAt(source, '13');
  assert.deepEqual(taken, ['add shop/b 12', 'add shop/a 11', 'update shop/a 13']);
});

test('an object that came and went while the place expired, and waits to be told, is told to be gone', async (t) => {
  const { api, taken, refused, start } = await aBench(t);
  const source = start();
  await isAt(source, '10');
  await eventually('it watches', () => api.watches().length === 1);
  refused.add('shop/a');
  api.push(path, 'ADDED', pod('a', '11'));
  await eventually('it was tried', () => source.counts().failed > 0);
  api.next('watch', expired);
  api.next('list', listOf('50'));
  api.end();
  await eventually('it was listed', () => api.lists().length === 2);
  refused.clear();
  await isAt(source, '50');
  assert.deepEqual(taken, ['add shop/a 11', 'delete shop/a 11']);
});

test('the watch waits while too many bytes wait', async (t) => {
  const { api, taken, refused, start } = await aBench(t);
  refused.add('shop/a');
  const source = start({ limits: { ...limits, mostBytes: 10 } });
  await isAt(source, '10');
  await eventually('it watches', () => api.watches().length === 1);
  for (const version of ['11', '12', '13']) api.push(path, 'MODIFIED', pod('a', version));
  await eventually('it was tried', () => source.counts().failed > 0);
  assert.equal(source.counts().waiting, 1);
  refused.clear();
  await isAt(source, '13');
  assert.deepEqual(taken.length, 3);
});
