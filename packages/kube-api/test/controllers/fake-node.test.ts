import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refOf } from '../../../controller/domain/kube-object.ts';
import { at, listed, namespace, pod, startCluster } from './cluster.ts';

function startShop() {
  const cluster = startCluster();
  cluster.client.create(namespace('shop'));
  cluster.settle();
  return { ...cluster, pods: () => listed(cluster.client, 'v1', 'Pod') };
}

describe('a Pod', () => {
  it('of another scheduler stays Pending', () => {
    const shop = startShop();
    shop.client.create(pod('alone', { spec: { schedulerName: 'nobody' } }));
    shop.settle();
    assert.equal(at(shop.pods()[0], 'status.phase'), 'Pending');
    assert.equal(at(shop.pods()[0], 'spec.nodeName'), undefined);
    shop.stop();
  });

  it('is bound, then runs: three changes for those who watch', () => {
    const shop = startShop();
    const seen: unknown[] = [];
    shop.client.subscribe(({ type, object }) => {
      if (object.kind === 'Pod') seen.push([type, at(object, 'spec.nodeName'), at(object, 'status.phase')]);
    });
    shop.client.create(pod('alone'));
    shop.settle();
    assert.deepEqual(seen, [
      ['ADDED', undefined, 'Pending'],
      ['MODIFIED', 'fake-node', 'Pending'],
      ['MODIFIED', 'fake-node', 'Running'],
    ]);
    shop.stop();
  });

  it('keeps the readiness gates that somebody else answers', () => {
    const shop = startShop();
    shop.client.create(pod('alone', { status: {} }));
    shop.step(1);
    shop.settle();
    const conditions = at(shop.pods()[0], 'status.conditions') as readonly { type: string; status: string }[];
    assert.deepEqual(conditions.map(({ type, status }) => `${type}=${status}`).sort(), [
      'ContainersReady=True',
      'Initialized=True',
      'PodScheduled=True',
      'Ready=True',
    ]);
    shop.stop();
  });

  it('that is deleted goes, and one with a finalizer stays until that is gone', () => {
    const shop = startShop();
    shop.client.create(pod('plain'));
    shop.client.create(pod('held', { metadata: { finalizers: ['example.com/hold'] } }));
    shop.settle();
    for (const one of shop.pods()) shop.client.delete(refOf(one));
    shop.settle();
    const [held] = shop.pods();
    assert.deepEqual(
      shop.pods().map(({ metadata }) => metadata.name),
      ['held'],
    );
    assert.ok(held?.metadata.deletionTimestamp);
    shop.client.update({ ...held, metadata: { ...held.metadata, finalizers: [] } });
    shop.settle();
    assert.deepEqual(shop.pods(), []);
    shop.stop();
  });
});
