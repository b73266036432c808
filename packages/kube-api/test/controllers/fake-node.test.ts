import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refOf } from '../../../controller/domain/kube-object.ts';
import { at, listed, namespace, pod, startCluster } from './cluster.ts';

function startShop(wish?: Parameters<typeof startCluster>[0]) {
  const cluster = startCluster(wish);
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

  const images: readonly [image: string, node: string][] = [
    ['server', 'other'],
    ['registry:5000/team/server:v1@sha256:00', 'other'],
    ['team/server2:v1', 'fake-node'],
    ['server/web', 'fake-node'],
  ];
  for (const [image, node] of images) {
    it(`of the image ${image} is for ${node} if another node has the program server`, () => {
      const shop = startShop({ otherNode: { name: 'other', programs: ['server'] } });
      shop.client.create(pod('web', { spec: { containers: [{ name: 'main', image }] } }));
      shop.settle();
      const [web = assert.fail()] = shop.pods();
      assert.deepEqual(
        [at(web, 'spec.nodeName'), at(web, 'status.phase')],
        [node, node === 'other' ? 'Pending' : 'Running'],
      );
      shop.client.delete(refOf(web));
      shop.settle();
      assert.equal(shop.pods().length, node === 'other' ? 1 : 0, 'its own kubelet ends it');
      shop.stop();
    });
  }

  it('with a container that the other node does not have stays here, and so does one with init containers', () => {
    const shop = startShop({ otherNode: { name: 'other', programs: ['server'] } });
    const container = (name: string, image: string) => ({ name, image });
    const containers = [container('one', 'server')];
    shop.client.create(pod('two', { spec: { containers: [...containers, container('other', 'busybox')] } }));
    shop.client.create(pod('init', { spec: { containers, initContainers: [container('init', 'server')] } }));
    shop.settle();
    assert.deepEqual(
      shop.pods().map((one) => at(one, 'spec.nodeName')),
      ['fake-node', 'fake-node'],
    );
    const nodes = shop.client.list({ apiVersion: 'v1', kind: 'Node' }).map(({ metadata }) => metadata.name);
    assert.deepEqual(nodes.toSorted(), ['fake-node', 'other']);
    shop.stop();
  });
});
