import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nudgePods } from '../../cluster/nudge.ts';
import type { KnudgeError } from '../../domain/errors.ts';
import { failure, transportTo } from './build.ts';
import { type Reply, serve } from './loopback.ts';

const about = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'frp-web-endpoints' };
const nudge = {
  about,
  namespace: 'shop',
  labelSelector: 'frp.io/tunnel=web',
  annotations: { 'knudge.dev/endpoints': 'v2' },
};

function pod(name: string, endpoints: string): object {
  const annotations = { 'knudge.dev/endpoints': endpoints };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `u-${name}`, resourceVersion: '7', annotations },
  };
}

const pods: Reply = {
  status: 200,
  body: { kind: 'PartialObjectMetadataList', metadata: {}, items: [pod('old', 'v1'), pod('new', 'v2')] },
};

test('each Pod that does not say so yet is annotated, in the version that was read', async (context) => {
  const api = await serve(context, ({ method }) => (method === 'GET' ? pods : { status: 200, body: pod('old', 'v2') }));
  const lost: KnudgeError[] = [];
  await nudgePods(transportTo(api.url), nudge, (error) => lost.push(error));
  assert.deepEqual(lost, []);
  const [list, patch, ...more] = api.seen;
  assert.deepEqual(more, []);
  assert.equal(list?.url, '/api/v1/namespaces/shop/pods?limit=16&labelSelector=frp.io%2Ftunnel%3Dweb');
  assert.match(String(list?.headers['accept']), /PartialObjectMetadataList/);
  assert.match(patch?.url ?? '', /^\/api\/v1\/namespaces\/shop\/pods\/old\b/);
  assert.equal(patch?.headers['content-type'], 'application/merge-patch+json');
  const metadata = { uid: 'u-old', resourceVersion: '7', annotations: nudge.annotations };
  assert.deepEqual(JSON.parse(patch?.body ?? ''), { metadata });
});

const refusals: readonly [sentence: string, reply: Reply, told: readonly string[]][] = [
  ['of a Pod that has changed meanwhile nobody is told', { status: 409, body: failure(409, 'Conflict') }, []],
  ['of a Pod that has gone meanwhile nobody is told', { status: 404, body: failure(404, 'NotFound') }, []],
  [
    'a right that is missing is told, and fails nothing',
    { status: 403, body: failure(403, 'Forbidden', 'User "x" cannot patch resource') },
    ['not-permitted'],
  ],
];
for (const [sentence, reply, told] of refusals) {
  test(sentence, async (context) => {
    const api = await serve(context, ({ method }) => (method === 'GET' ? pods : reply));
    const lost: string[] = [];
    await nudgePods(transportTo(api.url), nudge, ({ code }) => lost.push(code));
    assert.deepEqual(lost, told);
  });
}
