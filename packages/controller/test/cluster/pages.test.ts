import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../../resources/managed/kinds.ts';
import { readList, readPage } from '../../cluster/pages.ts';
import { errorOf, failure, transportTo } from './build.ts';
import { type Reply, type Seen, serve } from './loopback.ts';

const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', labelSelector: 'app in (web)' };
const expired: Reply = { status: 410, body: failure(410, 'Expired') };

function page(names: readonly string[], next = ''): Reply {
  const items = names.map((name) => ({ metadata: { name, namespace: 'shop' } }));
  return {
    body: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9', continue: next }, items },
  };
}

function parametersOf({ url }: Seen): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
}

test('a list is read by pages of 250, without a resourceVersion', async (t) => {
  const server = await serve(
    t,
    (_, __, count) => [page(['a', 'b'], 't/1=='), page(['c'], 't2'), page(['d'])][count - 1],
  );
  const list = await readList(transportTo(server.url), query);
  assert.deepEqual(
    list.map(({ metadata }) => metadata.name),
    ['a', 'b', 'c', 'd'],
  );
  const common = { limit: '250', labelSelector: 'app in (web)' };
  assert.deepEqual(server.seen.map(parametersOf), [
    common,
    { ...common, continue: 't/1==' },
    { ...common, continue: 't2' },
  ]);
});

test('a page that has expired starts the list again, and nothing comes twice', async (t) => {
  const replies = [page(['a'], 't1'), expired, page(['a'], 't1'), page(['b'])];
  const server = await serve(t, (_, __, count) => replies[count - 1]);
  const list = await readList(transportTo(server.url), query);
  assert.deepEqual(
    list.map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
});

test('a list that expires three times has failed', async (t) => {
  const server = await serve(t, ({ url }) => (url.includes('continue') ? expired : page(['a'], 't1')));
  const error = await errorOf(readList(transportTo(server.url), query));
  assert.deepEqual([error.code, error.retry, server.seen.length], ['expired', 'later', 6]);
});

test('a list that never ends is stopped', async (t) => {
  const server = await serve(t, () => page(['a'], 'again'));
  const error = await errorOf(readList(transportTo(server.url), query));
  assert.deepEqual([error.code, server.seen.length], ['unexpected-answer', 400]);
});

test('a failure on a later page fails the list: no part of it is given', async (t) => {
  const server = await serve(t, ({ url }) => (url.includes('continue') ? { status: 500 } : page(['a'], 't1')));
  assert.equal((await errorOf(readList(transportTo(server.url), query))).code, 'unavailable');
});

test('an empty selector is not sent, an empty namespace means all', async (t) => {
  const server = await serve(t, () => page([]));
  await readList(transportTo(server.url), { ...query, namespace: '', labelSelector: '' });
  assert.equal(server.seen[0]?.url, '/api/v1/configmaps?limit=250');
});

test('a field selector is sent beside that of labels, encoded, with every page; an empty one is not', async (t) => {
  const server = await serve(t, (_, __, count) => (count === 1 ? page(['a'], 't1') : page([])));
  const services = {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    namespace: 'shop',
    labelSelector: 'a=b',
  };
  const transport = transportTo(server.url);
  await readList(transport, { ...services, fieldSelector: 'spec.serverProfile=a,metadata.name!=b c' });
  await readPage(transport, { ...services, fieldSelector: '' }, { token: '', limit: 2, metadataOnly: false });
  const path = '/apis/frp.io/v1beta1/namespaces/shop/distributedservices';
  const selectors = 'labelSelector=a%3Db&fieldSelector=spec.serverProfile%3Da%2Cmetadata.name%21%3Db+c';
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    [
      `${path}?limit=250&${selectors}`,
      `${path}?limit=250&${selectors}&continue=t1`,
      `${path}?limit=2&labelSelector=a%3Db`,
    ],
  );
});

test('one page of metadata gives the token of the next', async (t) => {
  const server = await serve(t, () => page(['a'], 't1'));
  const request = { token: 't0', limit: 2, metadataOnly: true };
  const { objects, next } = await readPage(transportTo(server.url), query, request);
  assert.deepEqual(
    [objects, next],
    [[{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } }], 't1'],
  );
  assert.match(server.seen[0]?.headers.accept ?? '', /as=PartialObjectMetadataList;g=meta.k8s.io;v=v1/);
});

for (const [said, remaining] of [
  [7, 7],
  [undefined, 0],
  [-1, 0],
  ['7', 0],
] as const) {
  test(`a page that says ${JSON.stringify(said)} of what is left means ${remaining}`, async (t) => {
    const metadata = { continue: 't1', remainingItemCount: said };
    const server = await serve(t, () => ({ body: { kind: 'ConfigMapList', metadata, items: [] } }));
    const page = await readPage(transportTo(server.url), query, { token: '', limit: 2, metadataOnly: true });
    assert.deepEqual(page, { objects: [], next: 't1', remaining, version: '' });
  });
}

test('an empty page of metadata has null for its items', async (t) => {
  const body = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: {}, items: null };
  const server = await serve(t, () => ({ body }));
  const empty = await readPage(transportTo(server.url), query, { token: '', limit: 2, metadataOnly: true });
  assert.deepEqual(empty, { objects: [], next: '', remaining: 0, version: '' });
});

for (const [name, body] of [
  ['no list', { kind: 'ConfigMap', metadata: { name: 'a' } }],
  ['a list without items', { kind: 'ConfigMapList', metadata: {} }],
  ['a list of things without names', { kind: 'ConfigMapList', metadata: {}, items: [{}] }],
  ['nothing', null],
] as const) {
  test(`${name} is no page`, async (t) => {
    const server = await serve(t, () => ({ body }));
    assert.equal((await errorOf(readList(transportTo(server.url), query))).code, 'unexpected-answer');
  });
}

test('a kind that is not served is an error for a list, not an empty list', async (t) => {
  const server = await serve(t, () => ({
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: '404 page not found\n',
  }));
  const error = await errorOf(readList(transportTo(server.url), query));
  assert.equal(error.code, 'kind-not-served');
  assert.match(error.message, /does not serve configmaps: are the CRDs installed\?/);
});
