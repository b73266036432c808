import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Look } from '../../../packages/controller/cluster/look.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { functionStates } from '../../status/functions.ts';
import { memoryOf } from '../../status/memory.ts';

test('the memory of processes of this machine is that of all of them', async () => {
  const own = (await memoryOf([process.pid])) ?? 0;
  const { rss } = process.memoryUsage();
  assert.ok(own > rss / 2 && own < rss * 2, `${own} is not about ${rss}`);
  const both = (await memoryOf([process.pid, process.ppid])) ?? 0;
  assert.ok(both > own);
  assert.equal(await memoryOf([]), 0);
});

test('that of a process which is gone is not known', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  assert.equal(await memoryOf([child.pid ?? 0]), undefined);
});

const service = 'serving.knative.dev/service';
const pod = (name: string, more: object): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { [service]: 'message-changed' } },
    ...more,
  }) as KubeObject;

/** A cluster with two Pods of one Service, whose metrics-server says this. */
function lookAt(metrics: () => Promise<readonly KubeObject[]>): Look {
  const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  const list: Look['list'] = async ({ kind }, at) => {
    assert.deepEqual(at, { namespace: 'knudge', labelSelector: service });
    return kind === 'PodMetrics' ? metrics() : [pod('a', ready), pod('b', ready)];
  };
  return { list } as Look;
}

async function messageIn(metrics: () => Promise<readonly KubeObject[]>): Promise<object | undefined> {
  const states = await functionStates({ dir: '.', kubeconfig: 'k', namespace: 'knudge' }, lookAt(metrics));
  return states.find(({ process }) => process === 'message-changed');
}

test('of a cluster it is what a metrics-server says of all containers, and absent where there is none', async () => {
  const usage = (...sizes: readonly string[]) => ({ containers: sizes.map((memory) => ({ usage: { memory } })) });
  const said = async () => [pod('a', usage('50Mi', '8Ki')), pod('b', usage('48000Ki'))];
  assert.partialDeepStrictEqual(await messageIn(said), { awake: 2, memoryBytes: 50 * 2 ** 20 + 48_008 * 1024 });
  for (const metrics of [async () => [], () => Promise.reject(new Error('forbidden'))]) {
    const state = await messageIn(metrics);
    assert.deepEqual([state && 'memoryBytes' in state, state && 'awake' in state], [false, true]);
  }
});
