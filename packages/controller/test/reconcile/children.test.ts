import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service, tunnel } from '../../../../test/build/running-service.ts';
import { refOf } from '../../domain/kube-object.ts';

const children = [
  childRef('ConfigMap', 'frp-web-config'),
  childRef('ConfigMap', 'frp-web-endpoints'),
  childRef('Service', 'frp-web-balanced'),
  childRef('Secret', 'frp-web-identity'),
  tunnel,
];
for (const ref of children) {
  test(`a deleted ${ref.kind} ${ref.name} comes back`, async () => {
    const cluster = await running();
    cluster.remove(ref);
    await reconcileOn(cluster, refOf(service));
    assert.ok(await cluster.get(ref));
  });
  test(`a foreign ${ref.kind} ${ref.name} is never touched, and a condition says so`, async () => {
    const cluster = memoryCluster();
    const foreign = object(`${ref.apiVersion} ${ref.kind}`, ref.name, { data: { mine: 'bWluZQ==' } });
    for (const one of [serverProfile(), service, foreign]) cluster.put(one);
    const before = await cluster.get(ref);
    await reconcileOn(cluster, refOf(service));
    await reconcileOn(cluster, refOf(service));
    assert.deepEqual(await cluster.get(ref), before);
    const { status } = (await cluster.get(refOf(service))) as unknown as typeof service;
    assert.equal(status?.state, 'Failed');
    const valid = status?.conditions?.find(({ type }) => type === 'ConfigurationValid');
    assert.equal(valid?.reason, 'NameConflict');
    assert.match(valid?.message ?? '', new RegExp(ref.name));
  });
}
