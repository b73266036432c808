import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyObject } from '../../cluster/apply.ts';
import type { Call } from '../../cluster/call.ts';
import { ownedAlone } from '../../cluster/ownership.ts';
import { configMap, live } from './build.ts';

const v1 = { apiVersion: 'v1', fieldsType: 'FieldsV1' };
const knudge = (fieldsV1: object, operation = 'Apply') => ({ manager: 'knudge', operation, ...v1, fieldsV1 });
const argo = (fieldsV1: object) => ({ manager: 'argo', operation: 'Apply', ...v1, fieldsV1 });
const item = 'k:{"port":81,"protocol":"TCP"}';
const path = ['f:spec', 'f:ports', item];
const port = { '.': {}, 'f:name': {}, 'f:port': {} };
const inPorts = (tree: object) => ({ 'f:spec': { 'f:ports': tree } });

const rows = [
  {
    sentence: 'what is ours alone is left: the next apply takes it away',
    entries: [argo({ 'f:data': {} }), knudge(inPorts({ [item]: port }))],
    want: undefined,
  },
  {
    sentence: 'what another owns too becomes ours alone, and the rest stays theirs',
    entries: [
      knudge(inPorts({ [item]: port })),
      argo({ ...inPorts({ [item]: port }), 'f:metadata': { 'f:labels': {} } }),
    ],
    want: [argo({ 'f:metadata': { 'f:labels': {} } }), knudge(inPorts({ [item]: port }))],
  },
  {
    sentence: 'what another owns alone becomes ours, with all that is below it; who has nothing left is no manager',
    entries: [argo(inPorts({ [item]: port })), knudge({ 'f:spec': { 'f:type': {} } }, 'Update')],
    want: [knudge({ 'f:spec': { 'f:type': {}, 'f:ports': { [item]: port } } })],
  },
  {
    sentence: 'the list itself stays theirs where it was',
    entries: [argo(inPorts({ '.': {}, [item]: port })), knudge({ 'f:data': {} })],
    want: [argo(inPorts({ '.': {} })), knudge({ 'f:data': {}, ...inPorts({ [item]: port }) })],
  },
  { sentence: 'what nobody owns becomes ours', entries: [], want: [knudge(inPorts({ [item]: { '.': {} } }))] },
  {
    sentence: 'a single field that another owns becomes ours',
    path: ['f:spec', 'f:nodeSelector'],
    entries: [argo({ 'f:spec': { 'f:nodeSelector': {} } })],
    want: [knudge({ 'f:spec': { 'f:nodeSelector': { '.': {} } } })],
  },
  {
    sentence: 'what is written to a subresource is not ours in this sense',
    entries: [{ ...knudge(inPorts({ [item]: port }), 'Update'), subresource: 'scale' }],
    want: [knudge(inPorts({ [item]: port }))],
  },
];

for (const { sentence, entries, want, path: other } of rows) {
  test(sentence, () => assert.deepEqual(ownedAlone(entries, [other ?? path], 'v1'), want));
}

async function bodiesOfApply(managedFields: readonly object[]): Promise<readonly unknown[]> {
  const calls: Call[] = [];
  const transport = async (call: Call): Promise<unknown> => {
    calls.push(call);
    return live({ resourceVersion: '8' });
  };
  await applyObject(transport, { object: configMap(), live: live({ managedFields }), strays: [['f:data', 'f:x']] });
  return calls.map(({ body }) => body);
}

test('a stray of somebody else is made ours before the apply, in one patch bound to what was read', async () => {
  assert.deepEqual(await bodiesOfApply([argo({ 'f:data': { 'f:x': {} } })]), [
    [
      { op: 'test', path: '/metadata/uid', value: 'u-1' },
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/managedFields', value: [knudge({ 'f:data': { 'f:x': { '.': {} } } })] },
    ],
    configMap({ uid: 'u-1', resourceVersion: '8' }),
  ]);
});

test('a stray that is ours alone goes by the apply', async () => {
  assert.deepEqual(await bodiesOfApply([knudge({ 'f:data': { 'f:x': {} } })]), [
    configMap({ uid: 'u-1', resourceVersion: '7' }),
  ]);
});
