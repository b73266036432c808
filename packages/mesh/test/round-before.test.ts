import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, serve } from '../../controller/test/cluster/loopback.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { awaitRound, forgetRound } from '../round-before.ts';

const spec = readManifests({ root: process.cwd() });
const underWay = (seen: number) => {
  const round = { id: 'a', key: 'k', before: '', began: 1, seen, step: 0, tries: 1 };
  return { 'knudge.dev/round-under-way': JSON.stringify(round) };
};

function leaseWith(annotations: Readonly<Record<string, string>>): Reply {
  const metadata = { namespace: 'knudge', name: 'knudge-resync', uid: 'u', resourceVersion: '7', annotations };
  return { body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata } };
}

const at = (url: string) => ({ access: { server: url, credentials: async () => ({}) }, version: 'test' });

for (const [sentence, annotations, patches] of [
  ['a round that a mesh left when it died is nobody’s', underWay(1), 1],
  ['where none was under way nothing is written', {}, 0],
] as const) {
  test(sentence, async (t) => {
    const { url, seen } = await serve(t, () => leaseWith(annotations));
    await forgetRound(spec, at(url));
    const written = seen.filter(({ method }) => method === 'PATCH').map((call) => JSON.parse(call.body));
    const forgotten = { resourceVersion: '7', annotations: { 'knudge.dev/round-under-way': null } };
    assert.deepEqual(written, Array(patches).fill({ metadata: forgotten, spec: {} }));
  });
}

const fresh = () => leaseWith(underWay(Date.now() - 1000));
const stale = () => leaseWith(underWay(Date.now() - 40_000));

for (const [sentence, replies, waits] of [
  ['in a cluster of somebody’s a round is waited for until it is through', [fresh, fresh, () => leaseWith({})], 2],
  ['a round that nobody goes on with is waited for until it is lost', [fresh, stale], 1],
  ['where no round is under way nothing is waited for', [() => leaseWith({})], 0],
  ['where there is no Lease nothing is waited for', [() => ({ status: 404, body: {} })], 0],
  ['who may not read the Lease waits for nothing', [() => ({ status: 403, body: {} })], 0],
] as const) {
  test(sentence, async (t) => {
    const { url, seen } = await serve(t, (_, __, count) => (replies[count - 1] ?? replies[0])());
    let told = 0;
    const slept: number[] = [];
    await awaitRound(spec, at(url), {
      signal: new AbortController().signal,
      onWait: () => {
        told += 1;
      },
      sleep: async (ms) => slept.push(ms),
    });
    assert.deepEqual([slept.length, told], [waits, Math.min(waits, 1)]);
    assert.equal(seen.length, replies.length);
  });
}

test('a mesh that is ended waits no longer', async (t) => {
  const { url } = await serve(t, fresh);
  const ending = new AbortController();
  await awaitRound(spec, at(url), { signal: ending.signal, onWait: () => ending.abort() });
});
