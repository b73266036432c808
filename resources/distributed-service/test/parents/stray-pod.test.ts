import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { messageOfStray } from '../../parents/stray-pod.ts';

const ours = { 'knudge.dev/owner-uid': 'u' };
const controller = [{ apiVersion: 'myorg.dev/v1', kind: 'Message', name: 'hello', uid: 'u', controller: true }];
const pod = (name: string, metadata: Partial<KubeObject['metadata']> = { labels: ours }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', ...metadata },
});

test('a Pod of ours without an owner is that of the Message of its name', () => {
  assert.deepEqual(messageOfStray(pod('msg-hello')), [
    { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' },
  ]);
});

for (const [what, one] of [
  ['nothing', undefined],
  ['a Pod with an owner', pod('msg-hello', { labels: ours, ownerReferences: controller })],
  ['a Pod without our label', pod('msg-hello', {})],
  ['a Pod with another name', pod('web')],
] as const) {
  test(`${what} is nobody's`, () => assert.deepEqual(messageOfStray(one), []));
}
