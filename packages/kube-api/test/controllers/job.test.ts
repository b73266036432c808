import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, listed, namespace, object, startCluster } from './cluster.ts';

function startShop(wish?: Parameters<typeof startCluster>[0]) {
  const cluster = startCluster(wish);
  cluster.client.create(namespace('shop'));
  cluster.settle();
  return {
    ...cluster,
    job: (spec: object = {}, image = 'web:1') => {
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } };
      cluster.client.create(object(['batch/v1', 'Job'], 'one', { spec: { template, ...spec } }));
      cluster.settle();
    },
    read: (path: string) => at(listed(cluster.client, 'batch/v1', 'Job')[0], path),
    pods: () => listed(cluster.client, 'v1', 'Pod'),
  };
}

describe('a Job', () => {
  it('is complete when its Pod has succeeded, and makes no other', () => {
    const shop = startShop();
    shop.job();
    assert.deepEqual([shop.read('status.succeeded'), shop.read('status.active')], [1, undefined]);
    const conditions = shop.read('status.conditions') as readonly { type: string; status: string }[];
    assert.deepEqual(
      conditions.map(({ type, status }) => `${type}=${status}`),
      ['SuccessCriteriaMet=True', 'Complete=True'],
    );
    const [pod, ...others] = shop.pods();
    assert.deepEqual([at(pod, 'status.phase'), others.length], ['Succeeded', 0]);
    assert.equal(at(pod, 'status.containerStatuses.0.state.terminated.exitCode'), 0);
    const ready = (at(pod, 'status.conditions') as readonly { type: string; status: string; reason?: string }[]).find(
      ({ type }) => type === 'Ready',
    );
    assert.deepEqual([ready?.status, ready?.reason], ['False', 'PodCompleted']);
    shop.stop();
  });

  it('has at most as many Pods at a time as it wants', () => {
    const shop = startShop();
    const most = { now: 0 };
    shop.client.subscribe(() => {
      const running = shop.pods().filter((pod) => at(pod, 'status.phase') !== 'Succeeded').length;
      most.now = Math.max(most.now, running);
    });
    shop.job({ completions: 5, parallelism: 2 });
    assert.deepEqual([shop.pods().length, shop.read('status.succeeded'), most.now], [5, 5, 2]);
    shop.stop();
  });

  for (const [what, spec, pods] of [
    ['is suspended', { suspend: true }, 0],
    ['another controller manages', { managedBy: 'example.com/other' }, 0],
    ['wants no Pods at a time', { parallelism: 0, completions: 1 }, 0],
    ['is a queue with workers', { parallelism: 3 }, 3],
  ] as const)
    it(`that ${what} has ${pods} Pods`, () => {
      const shop = startShop();
      shop.job(spec);
      assert.equal(shop.pods().length, pods);
      assert.equal(shop.read('status.completionTime') !== undefined, pods > 0);
      shop.stop();
    });

  it('is simulated though a node of processes has its program', () => {
    const shop = startShop({ otherNode: { name: 'here', programs: ['node'] } });
    shop.job({}, 'registry.example.com/node:24');
    assert.equal(at(shop.pods()[0], 'spec.nodeName'), 'fake-node');
    assert.equal(shop.read('status.succeeded'), 1);
    shop.stop();
  });
});
