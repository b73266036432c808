import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readManifests } from '../../manifests/read-manifests.ts';
import { folderWith, readWith } from './folder.ts';

describe('the objects of the manifests', () => {
  it('come in an order in which they can be applied', (t) => {
    const { objects } = readWith(t, {
      'deploy/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
      'deploy/z.yaml':
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: home }\n---\napiVersion: v1\nkind: ServiceAccount\nmetadata: { name: a }\n',
      'crds/c.yml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: x }\n',
    });
    const kinds = objects.map(({ kind }) => kind);
    const first = [
      'Namespace',
      'CustomResourceDefinition',
      'ServiceAccount',
      'ConfigMap',
      'Service',
      'Broker',
      'Trigger',
    ];
    assert.deepEqual(kinds.slice(0, -2), first);
    assert.deepEqual(kinds.slice(-2).sort(), ['ApiServerSource', 'PingSource']);
  });

  it('are read with anchors, without what Go does not take for a time, and without a kustomization', (t) => {
    const { objects } = readWith(t, {
      'deploy/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: &all { a: &a 2026-11-21, b: *a }\nbinaryData: { <<: *all }\n',
      'deploy/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n',
    });
    const map = objects.find(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(map && 'data' in map ? map.data : undefined, { a: '2026-11-21', b: '2026-11-21' });
    assert.deepEqual(map && 'binaryData' in map ? map.binaryData : undefined, { a: '2026-11-21', b: '2026-11-21' });
    assert.equal(
      objects.some(({ kind }) => kind === 'Kustomization'),
      false,
    );
  });

  it('a folder that is missing is empty', (t) => {
    const root = folderWith(t, {});
    assert.deepEqual(readManifests({ root }).objects, []);
  });
});
