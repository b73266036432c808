import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../cluster/call.ts';
import { hearing } from '../../cluster/heard.ts';
import type { Tried } from '../../domain/delivery.ts';

const call = (parts: Partial<Call>): Call => ({
  method: 'PATCH',
  verb: 'apply',
  resource: 'pods',
  target: 'Pod shop/web',
  path: '/x',
  ...parts,
});

const metadata = { name: 'web', uid: 'u-1', resourceVersion: '7' };
const deletionTimestamp = '2026-03-01T12:00:00Z';
const preconditions = { uid: 'u-1', resourceVersion: '6' };
const pod = { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u-1' };

for (const [sentence, parts, answer, heard] of [
  ['an apply: the version that it made', {}, { metadata }, [{ do: 'apply', ...pod, resourceVersion: '7' }]],
  ['a read: nothing', { method: 'GET', verb: 'get' }, { metadata }, []],
  ['an answer without an object: a try in vain', {}, { kind: 'Status' }, [undefined]],
  [
    'a scale: the version of what was scaled',
    { verb: 'scale', resource: 'deployments/scale', target: 'Deployment shop/web' },
    { kind: 'Scale', metadata },
    [{ do: 'scale', ...pod, kind: 'Deployment', resourceVersion: '7' }],
  ],
  [
    'a deletion at once: no version',
    { method: 'DELETE', verb: 'delete', body: { preconditions } },
    { kind: 'Status', details: { uid: 'u-1' } },
    [{ do: 'delete', ...pod, resourceVersion: '' }],
  ],
  [
    'a deletion that waits for others: the version that is going',
    { method: 'DELETE', verb: 'delete', body: { preconditions } },
    { metadata },
    [{ do: 'delete', ...pod, resourceVersion: '7' }],
  ],
  [
    'a deletion at once that shows what was there: no version',
    { method: 'DELETE', verb: 'delete', body: { preconditions } },
    { metadata: { ...metadata, resourceVersion: '6' } },
    [{ do: 'delete', ...pod, resourceVersion: '' }],
  ],
  [
    'a deletion of what is going already: a try in vain',
    { method: 'DELETE', verb: 'delete', body: { preconditions } },
    { metadata: { ...metadata, resourceVersion: '6', deletionTimestamp } },
    [undefined],
  ],
  [
    'the last finalizer of what is going: its end, without a version',
    { verb: 'finalizers', body: { metadata: { resourceVersion: '7' } } },
    { metadata: { ...metadata, deletionTimestamp } },
    [{ do: 'finalizers', ...pod, resourceVersion: '' }],
  ],
  [
    'one of two finalizers that was gone already: a try in vain',
    { verb: 'finalizers', body: { metadata: { resourceVersion: '7' } } },
    { metadata: { ...metadata, deletionTimestamp, finalizers: ['other'] } },
    [undefined],
  ],
  [
    'an apply that changes nothing: a try in vain',
    { body: { metadata: { resourceVersion: '7' } } },
    { metadata },
    [undefined],
  ],
  [
    'a JSON patch that changes nothing: a try in vain',
    { verb: 'scale', body: [{ op: 'test', path: '/metadata/resourceVersion', value: '7' }] },
    { metadata },
    [undefined],
  ],
  [
    'an object of the cluster: without a namespace',
    { target: 'Node one' },
    { metadata },
    [{ do: 'apply', kind: 'Node', namespace: '', name: 'one', uid: 'u-1', resourceVersion: '7' }],
  ],
] as const) {
  test(`of ${sentence} is heard`, async () => {
    const all: Tried[] = [];
    const transport = hearing(
      async () => answer,
      (one) => all.push(one),
    );
    assert.equal(await transport(call(parts)), answer);
    assert.deepEqual(all, heard);
  });
}

test('a write that failed is heard as a try in vain, and a read that failed is not', async () => {
  const all: Tried[] = [];
  const transport = hearing(
    () => Promise.reject(new Error('no')),
    (one) => all.push(one),
  );
  await assert.rejects(transport(call({})), /^Error: no$/);
  await assert.rejects(transport(call({ method: 'GET' })), /^Error: no$/);
  assert.deepEqual(all, [undefined]);
});
