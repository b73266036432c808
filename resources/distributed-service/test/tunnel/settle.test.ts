import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { refOf } from '../../../../packages/controller/domain/kube-object.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { settle } from '../../tunnel/settle.ts';

interface Case {
  readonly pod?: KubeObject;
  /** One answer a question, the last for all that follow. */
  readonly versions: readonly (string | undefined)[];
}

/** How often Envoy was asked, at which addresses, and how long the wait was. */
async function wait({ pod = tunnelPod({ told: 'b' }), versions }: Case) {
  const cluster = memoryCluster();
  cluster.put(pod);
  const asked: string[] = [];
  let time = 0;
  await settle(refOf(pod), {
    reader: cluster,
    ask: async ({ address }) => {
      const version = versions[Math.min(asked.length, versions.length - 1)];
      asked.push(address);
      return version === undefined ? undefined : { version, total: 1, healthy: 1, refused: 0 };
    },
    elapsed: () => time,
    sleep: async (ms) => {
      time += ms;
    },
  });
  return { asked, time };
}

const rows: readonly [sentence: string, of: Case, questions: number, milliseconds: number][] = [
  ['endpoints that are live already are not waited for', { versions: ['b'] }, 1, 0],
  ['endpoints that come are waited for', { versions: ['a', 'a', 'b'] }, 3, 500],
  ['endpoints that never come, three seconds', { versions: ['a'] }, 12, 3000],
  ['an Envoy that falls silent is not waited for', { versions: ['a', undefined] }, 2, 250],
  ['a Pod that was told of no endpoints is not asked', { pod: tunnelPod(), versions: ['a'] }, 0, 0],
  ['nor one that is not ready', { pod: tunnelPod({ told: 'b', envoy: false }), versions: ['a'] }, 0, 0],
  [
    'nor one at the address of a metadata service',
    { pod: tunnelPod({ told: 'b', address: '169.254.169.254' }), versions: ['a'] },
    0,
    0,
  ],
];
for (const [sentence, of, questions, milliseconds] of rows) {
  test(sentence, async () => {
    const { asked, time } = await wait(of);
    assert.deepEqual([asked.length, time], [questions, milliseconds]);
    assert.ok(asked.every((address) => address === '10.1.0.1'));
  });
}

test('a Pod that is gone is nobody to wait for, and without a way to ask nothing is read', async () => {
  const cluster = memoryCluster();
  const pod = tunnelPod({ told: 'b' });
  const parts = { reader: cluster, elapsed: () => 0, sleep: () => Promise.reject(new Error('waited')) };
  await settle(refOf(pod), { ...parts, ask: () => Promise.reject(new Error('asked')) });
  cluster.put(pod);
  const before = cluster.calls.length;
  await settle(refOf(pod), { ...parts, ask: undefined });
  assert.equal(cluster.calls.length, before);
});
