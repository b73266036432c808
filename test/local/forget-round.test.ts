import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetRound } from '../../src/local/forget-round.ts';
import { readManifests } from '../../src/local/manifests/read-manifests.ts';
import { serve } from '../kube-client/loopback.ts';

const spec = readManifests({ root: process.cwd() });
const round = { id: 'a', key: 'k', before: '', began: 1, seen: 1, step: 0, tries: 1 };

for (const [sentence, annotations, patches] of [
  ['a round that a mesh left when it died is nobody’s', { 'knudge.dev/round-under-way': JSON.stringify(round) }, 1],
  ['where none was under way nothing is written', {}, 0],
] as const) {
  test(sentence, async (t) => {
    const metadata = { namespace: 'knudge', name: 'knudge-resync', uid: 'u', resourceVersion: '7', annotations };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
    const { url, seen } = await serve(t, () => ({ body }));
    await forgetRound(spec, { server: url, credentials: async () => ({}) }, 'test');
    const written = seen.filter(({ method }) => method === 'PATCH').map((call) => JSON.parse(call.body));
    const forgotten = { resourceVersion: '7', annotations: { 'knudge.dev/round-under-way': null } };
    assert.deepEqual(written, Array(patches).fill({ metadata: forgotten, spec: {} }));
  });
}
