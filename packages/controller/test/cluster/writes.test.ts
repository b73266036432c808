import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyObject } from '../../cluster/apply.ts';
import type { Transport } from '../../cluster/call.ts';
import { createObject } from '../../cluster/create.ts';
import { deleteObject } from '../../cluster/delete.ts';
import { writeFinalizers } from '../../cluster/finalizer.ts';
import { readObject } from '../../cluster/read.ts';
import { writeScale } from '../../cluster/scale.ts';
import { applyStatus } from '../../cluster/status.ts';
import { configMap, live, ref, transportTo } from './build.ts';
import { type Seen, serve } from './loopback.ts';

const precondition = { uid: 'u-1', resourceVersion: '7' };
const path = '/api/v1/namespaces/shop/configmaps/web';
const scalable = { ...ref, apiVersion: 'apps/v1', kind: 'Deployment' };
const posted = {
  managedFields: [
    { manager: 'kubectl', operation: 'Update' },
    { manager: 'knudge', operation: 'Update' },
  ],
};

interface Row {
  readonly name: string;
  readonly run: (transport: Transport) => Promise<unknown>;
  /** Method, URL, content type and body of each request. */
  readonly want: readonly (readonly [string, string, string | undefined, unknown])[];
}

const rows: readonly Row[] = [
  {
    name: 'create posts the object as it is',
    run: (transport) => createObject(transport, configMap()),
    want: [['POST', '/api/v1/namespaces/shop/configmaps?fieldManager=knudge', 'application/json', configMap()]],
  },
  {
    name: 'apply puts uid and resourceVersion of the live object into the body',
    run: (transport) => applyObject(transport, { object: configMap(), live: live() }),
    want: [
      ['PATCH', `${path}?fieldManager=knudge&force=true`, 'application/apply-patch+yaml', configMap(precondition)],
    ],
  },
  {
    name: 'apply sends no managedFields',
    run: (transport) => applyObject(transport, { object: configMap(posted), live: live() }),
    want: [
      ['PATCH', `${path}?fieldManager=knudge&force=true`, 'application/apply-patch+yaml', configMap(precondition)],
    ],
  },
  {
    name: 'the first apply of what was posted renames the ownership, and goes on from that version',
    run: (transport) => applyObject(transport, { object: configMap(), live: live(posted) }),
    want: [
      [
        'PATCH',
        `${path}?fieldManager=knudge`,
        'application/json-patch+json',
        [
          { op: 'test', path: '/metadata/uid', value: 'u-1' },
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'test', path: '/metadata/managedFields/1/manager', value: 'knudge' },
          { op: 'test', path: '/metadata/managedFields/1/operation', value: 'Update' },
          { op: 'replace', path: '/metadata/managedFields/1/operation', value: 'Apply' },
        ],
      ],
      [
        'PATCH',
        `${path}?fieldManager=knudge&force=true`,
        'application/apply-patch+yaml',
        configMap({ uid: 'u-1', resourceVersion: '8' }),
      ],
    ],
  },
  {
    name: 'what Knudge wrote to a subresource is no reason to rename anything',
    run: (transport) =>
      applyObject(transport, {
        object: configMap(),
        live: live({ managedFields: [{ manager: 'knudge', operation: 'Update', subresource: 'scale' }] }),
      }),
    want: [
      ['PATCH', `${path}?fieldManager=knudge&force=true`, 'application/apply-patch+yaml', configMap(precondition)],
    ],
  },
  {
    name: 'finalizers are the whole list in a merge patch',
    run: (transport) => writeFinalizers(transport, { ref, precondition, finalizers: ['a/b'] }),
    want: [
      [
        'PATCH',
        `${path}?fieldManager=knudge`,
        'application/merge-patch+json',
        { metadata: { ...precondition, finalizers: ['a/b'] } },
      ],
    ],
  },
  {
    name: 'no finalizers are null in a merge patch',
    run: (transport) => writeFinalizers(transport, { ref, precondition, finalizers: [] }),
    want: [
      [
        'PATCH',
        `${path}?fieldManager=knudge`,
        'application/merge-patch+json',
        { metadata: { ...precondition, finalizers: null } },
      ],
    ],
  },
  {
    name: 'status is applied to its subresource',
    run: (transport) => applyStatus(transport, { ref, precondition, status: { conditions: [] } }),
    want: [
      [
        'PATCH',
        `${path}/status?fieldManager=knudge&force=true`,
        'application/apply-patch+yaml',
        { ...configMap(precondition), status: { conditions: [] } },
      ],
    ],
  },
  {
    name: 'scale tests uid and version in the patch itself',
    run: (transport) => writeScale(transport, { ref: scalable, precondition, replicas: 0 }),
    want: [
      [
        'PATCH',
        '/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=knudge',
        'application/json-patch+json',
        [
          { op: 'test', path: '/metadata/uid', value: 'u-1' },
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'add', path: '/spec/replicas', value: 0 },
        ],
      ],
    ],
  },
  {
    name: 'delete carries its preconditions',
    run: (transport) => deleteObject(transport, { ref, precondition, propagation: 'Background' }),
    want: [
      [
        'DELETE',
        path,
        'application/json',
        { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: precondition, propagationPolicy: 'Background' },
      ],
    ],
  },
  {
    name: 'get asks for no old version',
    run: (transport) => readObject(transport, ref),
    want: [['GET', path, undefined, undefined]],
  },
];

for (const { name, run, want } of rows) {
  test(name, async (t) => {
    const server = await serve(t, (_, __, count) => ({ body: live({ resourceVersion: String(7 + count) }) }));
    await run(transportTo(server.url));
    assert.deepEqual(server.seen.map(asRow), want);
  });
}

function asRow({ method, url, headers, body }: Seen): readonly [string, string, string | undefined, unknown] {
  return [method, url, headers['content-type'], body === '' ? undefined : (JSON.parse(body) as unknown)];
}
