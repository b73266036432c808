import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podState, troubleOf } from '../../decide/pod-state.ts';
import type { KubeObject } from '../../domain/kube-object.ts';

const pod = (status: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status }) as KubeObject;
const container = (state: object): object => ({ phase: 'Pending', containerStatuses: [{ name: 'frpc', state }] });

const rows: readonly [sentence: string, status: object, trouble: string | undefined][] = [
  ['nothing is known of it', {}, undefined],
  ['it runs', container({ running: {} }), undefined],
  ['its container is being made', container({ waiting: { reason: 'ContainerCreating' } }), undefined],
  [
    'no node takes it',
    {
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: 1 Insufficient cpu.',
        },
      ],
    },
    'Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.',
  ],
  [
    'its image cannot be had',
    container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "frpc:9"' } }),
    'frpc: ImagePullBackOff: Back-off pulling image "frpc:9"',
  ],
  [
    'the Secret that it mounts is not there',
    container({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "t" not found' } }),
    'frpc: CreateContainerConfigError: secret "t" not found',
  ],
  ['it ends again and again', container({ terminated: { reason: 'Error', exitCode: 1 } }), 'frpc: Error (exit code 1)'],
  ['it has ended well', container({ terminated: { reason: 'Completed', exitCode: 0 } }), undefined],
  [
    'it was evicted',
    { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
    'Evicted: The node was low on resource: memory.',
  ],
];
for (const [sentence, status, trouble] of rows)
  test(`what is wrong with a Pod: ${sentence}`, () => assert.equal(troubleOf(pod(status)), trouble));

test('words of others are not told without end', () => {
  const words = troubleOf(pod(container({ waiting: { reason: 'RunContainerError', message: 'x'.repeat(5000) } })));
  assert.equal(words?.length, 'frpc: RunContainerError: '.length + 512);
});

test('how far a Pod is: ready unless somebody deletes it, and with what keeps it from running', () => {
  const ready = pod({ conditions: [{ type: 'Ready', status: 'True' }] });
  const leaving = { ...ready, metadata: { ...ready.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } };
  const stuck = pod(container({ waiting: { reason: 'ImagePullBackOff' } }));
  assert.deepEqual([ready, leaving, stuck, undefined].map(podState), [
    { isReady: true },
    { isReady: false },
    { isReady: false, trouble: 'frpc: ImagePullBackOff' },
    { isReady: false },
  ]);
});
