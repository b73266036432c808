import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyStatus } from '../../cluster/status.ts';
import { errorOf, failure, live, ref, transportTo } from './build.ts';
import { type Loopback, type Reply, serve } from './loopback.ts';

const precondition = { uid: 'u-1', resourceVersion: '7' };
const status = { conditions: [], observedGeneration: 1 };
const broken = 'failed to create manager for existing fields: failed to convert new object (shop/web) to smd typed';
const unfit: Reply = { status: 500, body: failure(500, '', broken) };

/** What a write left behind: the version that it made, and the status that is there. */
const there = (resourceVersion: string, found: object, uid = 'u-1'): Reply => ({
  body: { ...live({ resourceVersion, uid }), status: found },
});

const sent = ({ seen }: Loopback) =>
  seen.map(({ method, url, headers, body }) => [
    `${method} ${url.split('?')[0]?.split('/').at(-1)} ${headers['content-type']}`,
    JSON.parse(body) as unknown,
  ]);

test('fields that an apply leaves because nobody owns them are taken away, over that very version', async (t) => {
  const replies = [there('8', { ...status, selector: 'a=b', address: 'x' }), there('9', status)];
  const server = await serve(t, (_, __, count) => replies[count - 1]);
  const after = await applyStatus(transportTo(server.url), { ref, precondition, status });
  assert.equal(after.metadata.resourceVersion, '9');
  assert.deepEqual(sent(server)[1], [
    'PATCH status application/merge-patch+json',
    { metadata: { uid: 'u-1', resourceVersion: '8' }, status: { selector: null, address: null } },
  ]);
  assert.equal(server.seen.length, 2);
});

test('over a status that is stored broken the same goes as a merge patch, with the same precondition', async (t) => {
  const replies = [unfit, there('8', { ...status, selector: 'a=b' }), there('9', status)];
  const server = await serve(t, (_, __, count) => replies[count - 1]);
  await applyStatus(transportTo(server.url), { ref, precondition, status });
  assert.deepEqual(sent(server).slice(1), [
    ['PATCH status application/merge-patch+json', { metadata: precondition, status }],
    [
      'PATCH status application/merge-patch+json',
      { metadata: { uid: 'u-1', resourceVersion: '8' }, status: { selector: null } },
    ],
  ]);
});

const conflict: Reply = { status: 409, body: failure(409, 'Conflict') };
for (const [what, replies] of [
  ['the merge patch of a broken one', [unfit, conflict]],
  ['the patch that takes fields away', [there('8', { ...status, selector: 'a=b' }), conflict]],
  ['a merge patch that reached another object', [unfit, there('8', status, 'u-2')]],
] as const) {
  test(`a status that changed meanwhile is a conflict: ${what}`, async (t) => {
    const server = await serve(t, (_, __, count) => replies[count - 1]);
    assert.equal((await errorOf(applyStatus(transportTo(server.url), { ref, precondition, status }))).code, 'conflict');
    assert.equal(server.seen.length, 2);
  });
}
