import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountsOf } from '../../../../resources/distributed-service/children/foreign-mounts.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, distributedService, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn, rolledOut } from '../../../../test/build/run.ts';
import {
  childRef,
  look,
  reasonOf,
  running,
  secured,
  service,
  startTunnel,
  tunnel,
} from '../../../../test/build/running-service.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const mounted: readonly ObjectRef[] = [
  childRef('ConfigMap', 'frp-web-config'),
  childRef('ConfigMap', 'frp-web-endpoints'),
  childRef('Secret', 'frp-web-identity'),
  childRef('Secret', 'frp-web-tls'),
];
const theirs = ({ kind, name }: ObjectRef): KubeObject => object(kind, name, { data: { 'envoy.json': 'bWluZQ==' } });

async function replicas(cluster: MemoryCluster): Promise<number | undefined> {
  const { spec } = ((await cluster.get(tunnel)) ?? {}) as { readonly spec?: { readonly replicas?: number } };
  return spec?.replicas;
}

for (const child of mounted) {
  test(`what somebody has put under the name of ${child.kind} ${child.name} is never run by a tunnel`, async () => {
    const cluster = memoryCluster();
    for (const one of [serverProfile(), { ...service, spec: secured }, backendPod('web-1', '10.0.0.1'), theirs(child)])
      cluster.put(one);
    await reconcileOn(cluster, ref);
    await reconcileOn(cluster, ref);
    assert.equal(await cluster.get(tunnel), undefined);
    const status = await look(cluster);
    assert.equal(reasonOf(status, 'ConfigurationValid'), 'NameConflict');
    cluster.remove(child);
    await reconcileOn(cluster, ref);
    await startTunnel(cluster);
    assert.equal((await look(cluster)).status?.state, 'Running');
  });

  test(`a tunnel whose ${child.kind} ${child.name} became somebody's stops, and goes on when it is ours again`, async () => {
    const cluster = await running(secured);
    const before = await cluster.get(tunnel);
    cluster.remove(child);
    cluster.put(theirs(child));
    await reconcileOn(cluster, ref);
    assert.equal(await replicas(cluster), 0);
    assert.equal((await cluster.get(tunnel))?.metadata.uid, before?.metadata.uid);
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
    cluster.remove(child);
    await reconcileOn(cluster, ref);
    await startTunnel(cluster);
    assert.equal(await replicas(cluster), 1);
    assert.equal((await look(cluster)).status?.state, 'Running');
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  });
}

test("a Deployment of somebody else's says nothing of the tunnel, be it available", async () => {
  const cluster = memoryCluster();
  const foreign = rolledOut(object('apps/v1 Deployment', 'frp-web', { spec: { replicas: 1 } }));
  for (const one of [serverProfile(), service, backendPod('web-1', '10.0.0.1'), foreign]) cluster.put(one);
  await reconcileOn(cluster, ref);
  assert.equal(reasonOf(await look(cluster), 'TunnelAvailable'), 'TunnelMissing');
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'NameConflict');
});

test('what has the name of a child that nothing mounts stops nothing', () => {
  const children = new Map([['tls', theirs(childRef('Secret', 'frp-web-tls'))]]);
  const profile = { is: 'missing', reason: '', message: '' } as const;
  const own = { mtls: { enabled: true, autoGenerate: false, secretName: 'own' } };
  const owner = (security: typeof own) => distributedService('web', { security }, { uid: 'uid-web' });
  assert.equal(mountsOf({ owner: owner(own), children, inputs: new Map() }, profile), 'ours');
  const made = { mtls: { ...own.mtls, autoGenerate: true } };
  assert.equal(mountsOf({ owner: owner(made), children, inputs: new Map() }, profile), 'foreign');
});
