import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { functions } from '../../../functions/table.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { viewOf } from '../view.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '5', generation: 1 },
  spec: { containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }] },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
      { type: 'Initialized', status: 'True' },
    ],
  },
};
const looksAt = functions['pod-changed'].looksAt;

function seenAs(change: (copy: typeof pod) => object): string {
  return viewOf(change(structuredClone(pod)) as KubeObject, looksAt);
}

describe('a Pod', () => {
  const before = viewOf(pod, looksAt);
  const same: Readonly<Record<string, (copy: typeof pod) => object>> = {
    'another version': (copy) => ({ ...copy, metadata: { ...copy.metadata, resourceVersion: '6' } }),
    'who wrote which field': (copy) => ({ ...copy, metadata: { ...copy.metadata, managedFields: [{ manager: 'x' }] } }),
    'a heartbeat': (copy) => ({
      ...copy,
      status: { ...copy.status, conditions: copy.status.conditions.map((one) => ({ ...one, lastProbeTime: 'now' })) },
    }),
    'a condition that nobody looks at': (copy) => ({
      ...copy,
      status: { ...copy.status, conditions: [copy.status.conditions[0], { type: 'Initialized', status: 'False' }] },
    }),
    'a field of the status that nobody looks at': (copy) => ({
      ...copy,
      status: { ...copy.status, qosClass: 'Burstable' },
    }),
  };
  const other: Readonly<Record<string, (copy: typeof pod) => object>> = {
    'another phase': (copy) => ({ ...copy, status: { ...copy.status, phase: 'Failed' } }),
    'another address': (copy) => ({ ...copy, status: { ...copy.status, podIP: '10.0.0.2' } }),
    'not ready any more': (copy) => ({
      ...copy,
      status: { ...copy.status, conditions: [{ type: 'Ready', status: 'False' }] },
    }),
    'without a status': ({ status: _, ...copy }) => copy,
    'a label': (copy) => ({ ...copy, metadata: { ...copy.metadata, labels: { a: 'b' } } }),
    'an annotation': (copy) => ({ ...copy, metadata: { ...copy.metadata, annotations: { a: 'b' } } }),
    'on its way out': (copy) => ({ ...copy, metadata: { ...copy.metadata, deletionTimestamp: 'now' } }),
    'another image': (copy) => ({ ...copy, spec: { containers: [{ ...copy.spec.containers[0], image: 'web:2' }] } }),
    'another environment': (copy) => ({ ...copy, spec: { containers: [{ ...copy.spec.containers[0], env: [] }] } }),
  };
  for (const [what, change] of Object.entries(same))
    it(`is the same to functions: ${what}`, () => assert.equal(seenAs(change), before));
  for (const [what, change] of Object.entries(other))
    it(`is another to functions: ${what}`, () => assert.notEqual(seenAs(change), before));
});

describe('a status of ours', () => {
  const message = (phase: string, ...managers: readonly string[]) =>
    ({
      apiVersion: 'myorg.dev/v1',
      kind: 'Message',
      metadata: {
        name: 'hello',
        namespace: 'shop',
        uid: 'u',
        managedFields: managers.map((manager) => ({ manager, subresource: 'status' })),
      },
      spec: { text: 'hello' },
      status: { phase },
    }) as KubeObject;
  const view = (...given: Parameters<typeof message>) =>
    viewOf(message(...given), functions['message-changed'].looksAt);

  it('is nothing new', () => assert.equal(view('Processed', 'knudge'), view('Pending', 'knudge')));
  it('is, when somebody else has written into it', () => {
    assert.notEqual(view('Processed', 'knudge', 'kubectl-edit'), view('Processed', 'knudge'));
    assert.notEqual(view('Processed', 'knudge', 'kubectl-edit'), view('Pending', 'knudge', 'kubectl-edit'));
  });
});
