import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, reasonOf, running, service } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

for (const lost of ['backends', 'loadBalancing', 'security', 'serviceType', 'serverProfile'] as const) {
  test(`a running service whose spec has lost ${lost} is told to be invalid, once, keeps its tunnel and can be deleted`, async () => {
    const cluster = await running(service.spec, { schemas: 'none' });
    const { [lost]: _, ...spec } = service.spec;
    const before = (await look(cluster)).status;
    cluster.put({ ...(await look(cluster)), spec } as KubeObject);
    const children = () => cluster.objects().filter(({ kind }) => kind !== 'DistributedService');
    const kept = children();
    await reconcileOn(cluster, refOf(service));
    const told = await look(cluster);
    assert.equal(told.status?.state, 'Failed');
    assert.equal(reasonOf(told, 'Ready'), 'InvalidSpec');
    assert.equal(reasonOf(told, 'ConfigurationValid'), 'InvalidSpec');
    assert.deepEqual(told.status?.endpoints, before?.endpoints);
    assert.deepEqual(children(), kept);
    assert.equal((await reconcileOn(cluster, refOf(service), { now: '2026-02-01T00:00:00Z' })).writes, 0);
    cluster.remove(refOf(service));
    await reconcileOn(cluster, refOf(service));
    assert.equal((await look(cluster)).status?.state, 'Terminating');
  });
}
