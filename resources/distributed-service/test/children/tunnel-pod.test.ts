import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { fakeNode } from '../../../../packages/kube-api/controllers/fake-node.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { addressToAsk, questionTo, tunnelPodOf } from '../../children/tunnel-pod.ts';

const made = (creationTimestamp: string): object => ({ metadata: { creationTimestamp } });
const early = made('2026-01-01T00:00:00Z');
const late = made('2026-01-02T00:00:00Z');
const ended = (phase: string): KubeObject => ({ ...tunnelPod(), status: { phase } }) as KubeObject;

const rows: readonly [sentence: string, pods: readonly KubeObject[], address: string | undefined][] = [
  ['none', [], undefined],
  ['one that serves', [tunnelPod()], '10.1.0.1'],
  ['one that no kubelet has told of', [{ ...tunnelPod(), status: undefined } as unknown as KubeObject], undefined],
  ['one whose Envoy is not ready', [tunnelPod({ envoy: false })], undefined],
  ['one whose frpc does not run', [tunnelPod({ isRunning: false })], undefined],
  ['one without an address yet', [tunnelPod({ address: '' })], undefined],
  ['one that is leaving', [tunnelPod({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })], undefined],
  ['one that has failed', [ended('Failed')], undefined],
  ['one that somebody made by hand', [tunnelPod({ metadata: { ownerReferences: [] } })], undefined],
  [
    'the older of two',
    [tunnelPod({ name: 'a', address: '10.1.0.2', ...late }), tunnelPod({ name: 'b', ...early })],
    '10.1.0.1',
  ],
  [
    'of two of one age that of the first name',
    [tunnelPod({ name: 'b', address: '10.1.0.2', ...late }), tunnelPod({ name: 'a', ...late })],
    '10.1.0.1',
  ],
  ['one that says it is the machine itself', [tunnelPod({ address: '127.0.0.1' })], undefined],
  ['one that says it is a metadata service', [tunnelPod({ address: '169.254.169.254' })], undefined],
  ['one whose address is none', [tunnelPod({ address: 'x/../y' })], undefined],
];
for (const [sentence, pods, address] of rows) {
  test(`who is asked: ${sentence}`, () => assert.equal(addressToAsk(pods), address));
}

test('a Pod whose Envoy is up and not ready says that no backend is healthy', () => {
  const says = (wish: Parameters<typeof tunnelPod>[0]) => tunnelPodOf([tunnelPod(wish)])?.isWithoutBackends;
  assert.deepEqual(
    [says({}), says({ backends: false }), says({ backends: false, envoy: false })],
    [false, true, false],
  );
  assert.equal(says({ backends: false, isRunning: false }), false);
});

test('a Pod whose frpc is not ready says that its server has not taken the proxy, and is asked why', () => {
  const says = (wish: Parameters<typeof tunnelPod>[0]) => questionTo([tunnelPod(wish)])?.asksWhy;
  assert.deepEqual([says({}), says({ published: false }), says({ envoy: false })], [false, true, undefined]);
});

test('a Pod on the node that runs nothing is simulated', () => {
  const on = (nodeName: string): KubeObject => ({ ...tunnelPod(), spec: { nodeName } }) as KubeObject;
  assert.equal(tunnelPodOf([on(fakeNode)])?.isSimulated, true);
  assert.equal(tunnelPodOf([on('worker-1')])?.isSimulated, false);
  assert.equal(tunnelPodOf([tunnelPod()])?.isSimulated, false);
});
