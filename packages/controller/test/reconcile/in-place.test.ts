import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, object } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import {
  childRef,
  look,
  reasonOf,
  running,
  service,
  startTunnel,
  tunnel,
} from '../../../../test/build/running-service.ts';
import { isLeaving } from '../../decide/children.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const balanced = childRef('Service', 'frp-web-balanced');
const backends = childRef('Service', 'frp-web-backends');

type Fields = Readonly<Record<string, unknown>>;
interface Seen extends KubeObject {
  readonly spec: Fields & { readonly ports: readonly Fields[] };
}

async function see(cluster: MemoryCluster, which: ObjectRef): Promise<Seen> {
  const found = await cluster.get(which);
  assert.ok(found);
  return found as Seen;
}

const selected = { discovery: 'selector', replicas: 1, selector: { matchLabels: { app: 'shop' } } } as const;
const bySelector = { ...service.spec, backends: { ...selected, port: 8080 } };
const udp = { ...service.spec, serviceType: 'udp' } as const;

const changes = [
  { what: 'another backends.port', from: service.spec, to: { backends: { ...service.spec.backends, port: 8081 } } },
  { what: "another port of a selector's backends", from: bySelector, to: { backends: { ...selected, port: 8081 } } },
  { what: 'a named port in place of a number', from: bySelector, to: { backends: { ...selected, port: 'http' } } },
  { what: 'udp that becomes tcp', from: udp, to: { serviceType: 'tcp' } },
  { what: 'tcp that becomes udp', from: service.spec, to: { serviceType: 'udp' } },
] as const;

for (const { what, from, to } of changes) {
  test(`${what} changes every child in place: nothing is deleted`, async () => {
    const cluster = await running(from);
    // Another port is another Claim.
    const others = () => cluster.objects().filter(({ kind }) => kind !== 'Claim');
    const uids = () => new Map(others().map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.uid]));
    const before = uids();
    cluster.put(distributedService('web', { ...from, ...to }));
    await reconcileOn(cluster, ref);
    assert.deepEqual(uids(), before);
    assert.deepEqual(
      cluster.calls.filter(({ verb }) => verb === 'delete'),
      [],
    );
    const { spec } = await see(cluster, balanced);
    assert.equal(spec.ports.length, 1, JSON.stringify(spec.ports));
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  });
}

/** What somebody sets on a child and what is left of it, by where it is. */
interface Stray {
  readonly what: string;
  readonly child: ObjectRef;
  readonly set: (spec: Fields) => Fields;
  readonly left?: RegExp;
}

const container = (spec: Fields, name: string, more: Fields): Fields => {
  const { template } = spec as unknown as {
    readonly template: { readonly spec: { readonly containers: readonly Fields[] } };
  };
  const containers = template.spec.containers.map((one) => (one['name'] === name ? { ...one, ...more } : one));
  return { ...spec, template: { ...template, spec: { ...template.spec, containers } } };
};
const probe = { httpGet: { path: '/mine', port: 1 } };

const strays: readonly Stray[] = [
  {
    what: 'a port under the name of ours',
    child: balanced,
    set: (spec) => ({ ...spec, ports: [{ name: 'tcp', port: 9999, protocol: 'TCP' }] }),
  },
  { what: 'addresses from outside', child: balanced, set: (spec) => ({ ...spec, externalIPs: ['192.0.2.1'] }) },
  {
    what: 'a session affinity',
    child: balanced,
    set: (spec) => ({
      ...spec,
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 9 } },
    }),
  },
  { what: 'ready Pods alone', child: balanced, set: (spec) => ({ ...spec, publishNotReadyAddresses: false }) },
  { what: 'a pause', child: tunnel, set: (spec) => ({ ...spec, paused: true }) },
  { what: 'a wait', child: tunnel, set: (spec) => ({ ...spec, minReadySeconds: 300 }) },
  {
    what: 'another strategy',
    child: tunnel,
    set: (spec) => ({ ...spec, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }),
  },
  { what: 'a readiness of frpc', child: tunnel, set: (spec) => container(spec, 'frpc', { readinessProbe: probe }) },
  { what: 'a liveness of Envoy', child: tunnel, set: (spec) => container(spec, 'envoy', { livenessProbe: probe }) },
];

for (const { what, child, set } of strays) {
  test(`${what} that somebody sets on ${child.kind} ${child.name} goes again, in place`, async () => {
    const cluster = await running();
    const before = await see(cluster, child);
    cluster.put({ ...before, spec: set(before.spec) } as KubeObject);
    await reconcileOn(cluster, ref);
    const after = await see(cluster, child);
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.deepEqual(after.spec, before.spec);
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  });
}

test('a probe of ours that is no longer desired goes, also where another manager has set the same', async () => {
  const published = { ...service.spec, serviceType: 'http', expose: { domains: ['shop.example.com'] } } as const;
  const cluster = await running(published, { schemas: 'none' });
  const live = await see(cluster, tunnel);
  assert.match(JSON.stringify(live.spec), /published/);
  // It takes the probe as its own by taking it away and setting it again, as an apply of the whole would.
  cluster.put({ ...live, spec: container(live.spec, 'frpc', { readinessProbe: undefined }) } as KubeObject);
  cluster.put(live);
  cluster.put(distributedService('web', { ...published, expose: {} }));
  await reconcileOn(cluster, ref);
  assert.doesNotMatch(JSON.stringify((await see(cluster, tunnel)).spec), /published/);
  assert.equal((await reconcileOn(cluster, ref)).writes, 0);
});

test('a Deployment that has to be made anew goes with its Pods first, and until then the service is not Ready', async () => {
  const cluster = await running();
  const before = await see(cluster, tunnel);
  const labels = { app: 'mine' };
  const template = { ...(before.spec['template'] as object), metadata: { labels } };
  cluster.remove(tunnel);
  const { uid: _, resourceVersion: __, ...metadata } = before.metadata;
  cluster.put({
    ...before,
    metadata,
    spec: { ...before.spec, selector: { matchLabels: labels }, template },
  } as KubeObject);
  const copy = await see(cluster, tunnel);
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: tunnel.name, uid: copy.metadata.uid ?? '' };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const pod = cluster.put(
    object('Pod', 'frp-web-1', { metadata: { ownerReferences, finalizers: ['example.com/slow'] } }),
  );
  await reconcileOn(cluster, ref);
  cluster.collectGarbage();
  await reconcileOn(cluster, ref);
  assert.ok(isLeaving(await see(cluster, tunnel)), 'a second one was made while a Pod of the first was there');
  assert.equal(reasonOf(await look(cluster), 'Ready'), 'WaitingForDeletion');
  cluster.put({ ...pod, metadata: { ...pod.metadata, finalizers: [] } });
  cluster.collectGarbage();
  await reconcileOn(cluster, ref);
  await startTunnel(cluster);
  assert.deepEqual((await see(cluster, tunnel)).spec['selector'], before.spec['selector']);
  assert.equal((await look(cluster)).status?.state, 'Running');
});

test('the headless Service of a selector is made anew where somebody gave it an address', async () => {
  const cluster = await running(bySelector);
  const before = await see(cluster, backends);
  cluster.remove(backends);
  const { uid: _, resourceVersion: __, ...metadata } = before.metadata;
  cluster.put({
    ...before,
    metadata,
    spec: { ...before.spec, clusterIP: undefined, clusterIPs: undefined },
  } as KubeObject);
  await reconcileOn(cluster, ref);
  assert.deepEqual((await see(cluster, backends)).spec, before.spec);
});

test('an identity without a token, which nobody may change, is made anew', async () => {
  const cluster = await running();
  const identity = childRef('Secret', 'frp-web-identity');
  const { uid: _, resourceVersion: __, ...metadata } = (await see(cluster, identity)).metadata;
  cluster.remove(identity);
  const emptied = object('Secret', 'frp-web-identity', { data: { token: '' }, immutable: true });
  cluster.put({ ...emptied, metadata } as KubeObject);
  await reconcileOn(cluster, ref);
  const { data } = (await see(cluster, identity)) as unknown as { readonly data: { readonly token: string } };
  assert.notEqual(data.token, '');
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'Valid');
});
