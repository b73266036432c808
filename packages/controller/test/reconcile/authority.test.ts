import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, look, reasonOf, running, secured, service } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const authorityRef = childRef('Secret', 'frp-default-ca');
const profileRef = refOf(serverProfile());

interface Stored extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

async function authority(cluster: MemoryCluster): Promise<Stored> {
  const found = await cluster.get(authorityRef);
  assert.ok(found);
  return found as Stored;
}

const renamed = { ...serverProfile(), metadata: { ...serverProfile().metadata, name: 'frps-5h7f9' } };

const replacements: readonly [what: string, replace: (cluster: MemoryCluster) => void | Promise<void>][] = [
  [
    'replaced by one of the same name',
    (cluster) => {
      cluster.remove(profileRef);
      cluster.put(serverProfile());
    },
  ],
  [
    'pruned and made again later',
    async (cluster) => {
      cluster.remove(profileRef);
      cluster.collectGarbage();
      await reconcileOn(cluster, ref);
      assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'ServerProfileNotFound');
      cluster.put(serverProfile());
    },
  ],
  [
    'followed by one of another name',
    (cluster) => {
      cluster.remove(profileRef);
      cluster.put(renamed);
    },
  ],
];

for (const [what, replace] of replacements) {
  test(`the authority of a profile that is ${what} stays, and so does what it signed`, async () => {
    const cluster = await running(secured);
    const before = [await authority(cluster), await cluster.get(childRef('Secret', 'frp-web-tls'))];
    await replace(cluster);
    cluster.collectGarbage();
    await reconcileOn(cluster, ref);
    assert.deepEqual([await authority(cluster), await cluster.get(childRef('Secret', 'frp-web-tls'))], before);
  });
}

for (const fixed of [{}, { immutable: true }]) {
  test(`an authority that an older version gave to its profile is set free${'immutable' in fixed ? ', immutable too' : ''}`, async () => {
    const cluster = await running(secured);
    const profile = await cluster.get(profileRef);
    const before = await authority(cluster);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: profileRef.name, uid: profile?.metadata.uid ?? '' };
    cluster.put({ ...before, ...fixed, metadata: { ...before.metadata, ownerReferences: [owner] } } as KubeObject);
    await reconcileOn(cluster, ref);
    const after = await authority(cluster);
    assert.deepEqual(after.metadata.ownerReferences ?? [], []);
    assert.deepEqual(after.data, before.data);
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  });
}
