import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refOf } from '../../../controller/domain/kube-object.ts';
import { at, deployment, listed, namespace, startCluster } from './cluster.ts';

function startShop() {
  const cluster = startCluster();
  cluster.client.create(namespace('shop'));
  cluster.settle();
  const pods = () => listed(cluster.client, 'v1', 'Pod');
  const sets = () => listed(cluster.client, 'apps/v1', 'ReplicaSet');
  const web = () => {
    const found = listed(cluster.client, 'apps/v1', 'Deployment').find(({ metadata }) => metadata.name === 'web');
    assert.ok(found);
    return found;
  };
  const change = (spec: Readonly<Record<string, unknown>>, image = 'web:1'): void => {
    const wanted = deployment('web', spec, image);
    cluster.client.update({ ...wanted, metadata: web().metadata });
    cluster.settle();
  };
  return { ...cluster, pods, sets, web, change };
}

describe('a Deployment', () => {
  it('becomes a ReplicaSet and ready Pods, and says so', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    assert.equal(shop.sets().length, 1);
    const [set] = shop.sets();
    assert.equal(shop.pods().length, 2);
    for (const one of shop.pods()) {
      assert.match(one.metadata.name, new RegExp(`^${set?.metadata.name}-[a-z0-9]{5}$`));
      assert.equal(at(one, 'status.phase'), 'Running');
      assert.equal(one.metadata.ownerReferences?.[0]?.uid, set?.metadata.uid);
      assert.equal(one.metadata.labels?.['pod-template-hash'], set?.metadata.labels?.['pod-template-hash']);
    }
    assert.equal(new Set(shop.pods().map((one) => at(one, 'status.podIP'))).size, 2);
    assert.equal(at(shop.web(), 'status.availableReplicas'), 2);
    assert.equal(at(shop.web(), 'status.updatedReplicas'), 2);
    assert.equal(at(shop.web(), 'status.observedGeneration'), 1);
    assert.equal(shop.web().metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
    const conditions = at(shop.web(), 'status.conditions') as readonly {
      type: string;
      status: string;
      reason: string;
    }[];
    assert.deepEqual(
      conditions.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Available', 'True', 'MinimumReplicasAvailable'],
        ['Progressing', 'True', 'NewReplicaSetAvailable'],
      ],
    );
    shop.stop();
  });

  it('writes nothing more once it is at rest', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    let writes = 0;
    shop.client.subscribe(() => (writes += 1));
    shop.later(60);
    shop.client.update(shop.web());
    shop.settle();
    assert.equal(writes, 0);
    shop.stop();
  });

  it('is scaled up and down without a new ReplicaSet', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    for (const replicas of [5, 1, 0]) {
      shop.change({ replicas });
      assert.equal(shop.pods().length, replicas);
      assert.equal(shop.sets().length, 1);
      assert.equal(at(shop.web(), 'status.availableReplicas') ?? 0, replicas);
    }
    shop.stop();
  });

  it('rolls to a new template and keeps the old ReplicaSet, empty', () => {
    const shop = startShop();
    shop.client.create(deployment('web', { replicas: 4 }));
    shop.settle();
    let fewest = 4;
    shop.client.subscribe(() => {
      const ready = shop
        .pods()
        .filter((one) => at(one, 'status.phase') === 'Running' && one.metadata.deletionTimestamp === undefined);
      fewest = Math.min(fewest, ready.length);
    });
    shop.change({ replicas: 4 }, 'web:2');
    assert.deepEqual(
      shop
        .sets()
        .map((set) => at(set, 'spec.replicas'))
        .sort(),
      [0, 4],
    );
    assert.deepEqual(
      [...new Set(shop.pods().map((one) => JSON.stringify(at(one, 'spec.containers.0.image'))))],
      ['"web:2"'],
    );
    assert.equal(shop.web().metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
    assert.ok(fewest >= 3, `only ${fewest} of 4 were ready while it rolled; 25 % may be missing`);
    shop.stop();
  });

  it('rolls back to the ReplicaSet that it had, as its newest revision', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    const [first] = shop.sets();
    shop.change({}, 'web:2');
    shop.change({}, 'web:1');
    assert.equal(shop.sets().length, 2);
    const again = shop.sets().find(({ metadata }) => metadata.uid === first?.metadata.uid);
    assert.equal(at(again, 'spec.replicas'), 2);
    assert.equal(shop.web().metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
    shop.stop();
  });

  it('with Recreate has never Pods of two templates', () => {
    const shop = startShop();
    shop.client.create(deployment('web', { strategy: { type: 'Recreate' } }));
    shop.settle();
    let mixed = 0;
    shop.client.subscribe(() => {
      if (new Set(shop.pods().map((one) => at(one, 'spec.containers.0.image'))).size > 1) mixed += 1;
    });
    shop.change({ strategy: { type: 'Recreate' } }, 'web:2');
    assert.equal(mixed, 0);
    assert.deepEqual(
      shop.pods().map((one) => at(one, 'spec.containers.0.image')),
      ['web:2', 'web:2'],
    );
    shop.stop();
  });

  it('keeps no more old ReplicaSets than revisionHistoryLimit says', () => {
    const shop = startShop();
    shop.client.create(deployment('web', { revisionHistoryLimit: 1 }));
    shop.settle();
    for (const image of ['web:2', 'web:3', 'web:4']) shop.change({ revisionHistoryLimit: 1 }, image);
    assert.equal(shop.sets().length, 2);
    shop.stop();
  });

  it('replaces a Pod that is deleted', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    const [first] = shop.pods();
    assert.ok(first);
    shop.client.delete(refOf(first));
    shop.settle();
    assert.equal(shop.pods().length, 2);
    assert.ok(shop.pods().every(({ metadata }) => metadata.uid !== first.metadata.uid));
    shop.stop();
  });

  it('takes its ReplicaSets and Pods along when it is deleted', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.settle();
    shop.client.delete(refOf(shop.web()), { propagation: 'Background' });
    shop.settle();
    assert.deepEqual([shop.sets().length, shop.pods().length], [0, 0]);
    shop.stop();
  });
});
