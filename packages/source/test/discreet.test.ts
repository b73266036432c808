import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { type PackWith, pack } from '../pack.ts';

const stamp = {
  mode: 'Resource',
  source: 'https://api',
  namespace: 'knudge',
  overrides: { knudgeabout: 'Zürich' },
  now: () => new Date(0),
} satisfies PackWith;

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '5',
    annotations: { secret: 'x' },
    labels: { a: 'b' },
  },
  spec: {
    nodeName: 'one',
    containers: [{ name: 'web', env: [{ name: 'PASSWORD', value: 'x' }] }],
    initContainers: [{ name: 'init', envFrom: [{ secretRef: { name: 'x' } }] }],
  },
  status: { phase: 'Running' },
};

test('a Pod travels without its annotations and the environment of its containers', () => {
  const { event } = pack({ verb: 'update', object: pod as KubeObject }, stamp);
  assert.deepEqual(JSON.parse(event.data.toString()), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '5', labels: { a: 'b' } },
    spec: { nodeName: 'one', containers: [{ name: 'web' }], initContainers: [{ name: 'init' }] },
    status: { phase: 'Running' },
  });
});

test('whatever else it is travels whole', () => {
  const object = { ...pod, kind: 'ConfigMap' };
  assert.deepEqual(JSON.parse(pack({ verb: 'add', object }, stamp).event.data.toString()), object);
});

test('the event of the same version has the same id, its object is its partition, and overrides win', () => {
  const { event, object } = pack({ verb: 'update', object: pod as KubeObject }, stamp);
  const { id, partitionkey, knudgeabout } = event.attributes;
  assert.deepEqual([id, partitionkey, knudgeabout, object], ['u-5-update', 'Pod shop/web', 'Zürich', 'Pod shop/web']);
});
