import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KubeObject, refOf } from '../../../controller/domain/kube-object.ts';
import { at, type Cluster, deployment, listed, namespace, object, pod, service, startCluster } from './cluster.ts';

function startShop(): Cluster {
  const cluster = startCluster();
  cluster.client.create(namespace('shop'));
  cluster.settle();
  return cluster;
}

const slicesOf = ({ client }: Cluster) => listed(client, 'discovery.k8s.io/v1', 'EndpointSlice');

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean };
  readonly targetRef: { readonly name: string };
}

const endpointsOf = (cluster: Cluster): readonly Endpoint[] =>
  slicesOf(cluster).flatMap((slice) => (at(slice, 'endpoints') ?? []) as readonly Endpoint[]);

describe('the slices of a Service', () => {
  it('hold the ready Pods it selects, by the number of the named port', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.client.create(deployment('other'));
    shop.client.create(service('web', { selector: { app: 'web' } }));
    shop.settle();
    const [slice] = slicesOf(shop);
    assert.equal(slicesOf(shop).length, 1);
    assert.deepEqual(at(slice, 'ports'), [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    assert.equal(slice?.metadata.labels?.['kubernetes.io/service-name'], 'web');
    assert.equal(slice.metadata.ownerReferences?.[0]?.name, 'web');
    const ready = { ready: true, serving: true, terminating: false };
    assert.deepEqual(
      endpointsOf(shop).map(({ conditions }) => conditions),
      [ready, ready],
    );
    shop.stop();
  });

  it('follow a Pod that is not ready any more, that leaves by its labels, and that goes', () => {
    const shop = startShop();
    shop.client.create(deployment('web', { replicas: 3 }));
    shop.client.create(service('web', { selector: { app: 'web' } }));
    shop.settle();
    const [unready, leaving, going] = listed(shop.client, 'v1', 'Pod');
    assert.ok(unready && leaving && going);
    shop.client.updateStatus(withReady(unready, 'False'));
    shop.settle();
    const seen = endpointsOf(shop).find(({ targetRef }) => targetRef.name === unready.metadata.name);
    assert.deepEqual(seen?.conditions, { ready: false, serving: false, terminating: false });
    shop.client.update({ ...leaving, metadata: { ...leaving.metadata, labels: { app: 'quarantine' } } });
    shop.client.delete(refOf(going));
    shop.settle();
    const names = endpointsOf(shop).map(({ targetRef }) => targetRef.name);
    assert.ok(!names.includes(leaving.metadata.name) && !names.includes(going.metadata.name), names.join());
    shop.stop();
  });

  it('are one without endpoints where no Pod fits', () => {
    const shop = startShop();
    shop.client.create(service('web', { selector: { app: 'nobody' } }));
    shop.settle();
    assert.deepEqual(
      slicesOf(shop).map((slice) => [at(slice, 'endpoints') ?? null, at(slice, 'ports') ?? null]),
      [[null, null]],
    );
    shop.stop();
  });

  it('of a headless Service say so, and carry the labels of the Service', () => {
    const shop = startShop();
    const headless = service('web', { selector: { app: 'web' }, clusterIP: 'None' });
    shop.client.create({ ...headless, metadata: { ...headless.metadata, labels: { team: 'shop' } } });
    shop.settle();
    const [slice] = slicesOf(shop);
    assert.equal(slice?.metadata.labels?.['service.kubernetes.io/headless'], '');
    assert.equal(slice.metadata.labels['team'], 'shop');
    shop.stop();
  });

  it('are two where a port name means two numbers', () => {
    const shop = startShop();
    const ports = (containerPort: number) => [
      { name: 'main', image: 'web:1', ports: [{ name: 'http', containerPort }] },
    ];
    for (const [name, number] of [
      ['a', 8080],
      ['b', 9090],
    ] as const) {
      shop.client.create(pod(name, { metadata: { labels: { app: 'web' } }, spec: { containers: ports(number) } }));
    }
    shop.client.create(service('web', { selector: { app: 'web' } }));
    shop.settle();
    assert.deepEqual(
      slicesOf(shop)
        .map((slice) => at(slice, 'ports.0.port'))
        .sort(),
      [8080, 9090],
    );
    shop.stop();
  });

  it('hold at most 100 endpoints each', () => {
    const shop = startShop();
    shop.client.create(deployment('web', { replicas: 230 }));
    shop.client.create(service('web', { selector: { app: 'web' } }));
    shop.settle();
    const sizes = slicesOf(shop).map((slice) => (at(slice, 'endpoints') as readonly unknown[]).length);
    assert.deepEqual(
      sizes.sort((one, other) => one - other),
      [30, 100, 100],
    );
    shop.stop();
  });

  it('come only for a Service with a selector', () => {
    const shop = startShop();
    shop.client.create(service('without', {}));
    shop.client.create(
      service('name', { type: 'ExternalName', externalName: 'example.com', selector: { app: 'web' } }),
    );
    shop.settle();
    assert.deepEqual(slicesOf(shop), []);
    shop.stop();
  });

  it('go with their Service', () => {
    const shop = startShop();
    shop.client.create(service('web', { selector: { app: 'web' } }));
    shop.settle();
    const [web] = listed(shop.client, 'v1', 'Service');
    assert.ok(web);
    shop.client.delete(refOf(web), { propagation: 'Background' });
    shop.settle();
    assert.deepEqual(slicesOf(shop), []);
    shop.stop();
  });
});

describe('a namespace', () => {
  it('has a ServiceAccount of its own', () => {
    const shop = startShop();
    assert.deepEqual(
      listed(shop.client, 'v1', 'ServiceAccount').map(({ metadata }) => metadata.name),
      ['default'],
    );
    shop.stop();
  });

  it('that is deleted loses its content, then goes', () => {
    const shop = startShop();
    shop.client.create(deployment('web'));
    shop.client.create(object(['v1', 'ConfigMap'], 'settings'));
    shop.settle();
    shop.client.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' });
    shop.settle();
    assert.deepEqual(shop.client.all('shop'), []);
    assert.equal(shop.client.get({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' }), undefined);
    shop.stop();
  });

  it('stays while a finalizer holds something in it', () => {
    const shop = startShop();
    shop.client.create(object(['v1', 'ConfigMap'], 'held', { metadata: { finalizers: ['example.com/hold'] } }));
    shop.settle();
    shop.client.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' });
    shop.settle();
    assert.deepEqual(
      shop.client.all('shop').map(({ metadata }) => metadata.name),
      ['held'],
    );
    const [held] = shop.client.all('shop');
    assert.ok(held);
    shop.client.update({ ...held, metadata: { ...held.metadata, finalizers: [] } });
    shop.settle();
    assert.equal(shop.client.get({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' }), undefined);
    shop.stop();
  });
});

function withReady(pod: KubeObject, status: string): KubeObject {
  const conditions = at(pod, 'status.conditions') as readonly { type: string }[];
  const changed = conditions.map((condition) => (condition.type === 'Ready' ? { ...condition, status } : condition));
  return { ...pod, status: { ...(at(pod, 'status') as object), conditions: changed } } as KubeObject;
}
