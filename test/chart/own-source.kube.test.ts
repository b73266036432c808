import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { rendered } from './helm.ts';

interface Spec {
  readonly storageClassName?: string;
  readonly resources?: object;
  readonly template?: {
    readonly spec: { readonly containers: readonly object[]; readonly imagePullSecrets?: unknown };
  };
}

describe("Knudge's own source, by the chart,", () => {
  it('has the volume that the values say', async () => {
    const storage = { size: '1.5Gi', className: 'fast' };
    const { storageClassName, resources } = specOf(
      await rendered({ source: { enabled: true, storage } }),
      'PersistentVolumeClaim',
    );
    assert.equal(storageClassName, 'fast');
    assert.deepEqual(resources, { requests: { storage: '1.5Gi' } });
  });

  it('has the image and the resources that the values say', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const resources = { limits: { memory: '1Gi' }, requests: { cpu: '1', memory: '512Mi' } };
    const image = {
      repository: 'registry.example.com/knudge',
      digest,
      pullPolicy: 'Always',
      pullSecrets: [{ name: 'a' }],
    };
    const { template } = specOf(await rendered({ source: { enabled: true, resources }, image }), 'ContainerSource');
    const [container] = template?.spec.containers ?? [];
    const wanted = { image: `registry.example.com/knudge@${digest}`, imagePullPolicy: 'Always', resources };
    assert.partialDeepStrictEqual(container, wanted);
    assert.deepEqual(template?.spec.imagePullSecrets, [{ name: 'a' }]);
  });

  it('leaves its policy, its account and its rights to others where the values say so', async () => {
    const objects = await rendered({
      source: { enabled: true },
      networkPolicies: { enabled: false },
      rbac: { create: false },
    });
    assert.deepEqual(kindsOf(objects), ['ContainerSource', 'PersistentVolumeClaim']);
  });

  it('is not there, and nothing of it, where it is not turned on', async () => {
    assert.deepEqual(kindsOf(await rendered({ source: { enabled: false, storage: { size: '1Gi' } } })), []);
  });
});

/** What is called after it. */
function kindsOf(objects: readonly KubeObject[]): readonly string[] {
  const its = objects.filter(({ metadata }) => /^(knudge-)?source$/.test(metadata.name));
  return its.map(({ kind }) => kind).sort();
}

function specOf(objects: readonly KubeObject[], wanted: string): Spec {
  const found = objects.find(({ kind, metadata }) => kind === wanted && metadata.name === 'source');
  assert.ok(found !== undefined, `there is no ${wanted}`);
  return (found as { readonly spec?: Spec }).spec ?? {};
}
