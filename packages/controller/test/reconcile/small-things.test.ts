import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributedService, object } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, look, reasonOf, running, service, tunnel } from '../../../../test/build/running-service.ts';
import { tunnelPod } from '../../../../test/build/tunnel-pod.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const endpoints = childRef('ConfigMap', 'frp-web-endpoints');

test('a refusal is told of the spec that was refused: one that somebody has mended since is tried', async () => {
  const cluster = await running();
  const asked = distributedService('web', { expose: { remotePort: 7002 } });
  const mended = distributedService('web', { expose: { remotePort: 7003 } });
  cluster.put(asked);
  let refused = false;
  cluster.before = ({ verb, ref: { name } }) => {
    if (refused || verb !== 'apply' || name !== 'frp-web-config') return;
    refused = true;
    cluster.put(mended);
    throw new KnudgeError('quota-exceeded', 'full');
  };
  await reconcileOn(cluster, ref);
  assert.ok(refused);
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'Valid');
  assert.match(JSON.stringify(await cluster.get(childRef('ConfigMap', 'frp-web-config'))), /7003/);
});

test('a refusal of what is still wanted is told', async () => {
  const cluster = await running();
  cluster.put(distributedService('web', { expose: { remotePort: 7002 } }));
  cluster.before = ({ verb, ref: { name } }) => {
    if (verb === 'apply' && name === 'frp-web-config') throw new KnudgeError('quota-exceeded', 'full');
  };
  await reconcileOn(cluster, ref);
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'QuotaExceeded');
});

test('endpoints that are made again are looked for by the Pod at once, and those of the first time by nobody', async () => {
  const cluster = await running();
  const nudges = () => cluster.calls.filter(({ verb }) => verb === 'nudge').length;
  assert.equal(nudges(), 0);
  const { metadata } = await look(cluster);
  cluster.put(tunnelPod({ uid: metadata.uid ?? '' }));
  cluster.remove(endpoints);
  await reconcileOn(cluster, ref);
  assert.equal(nudges(), 1);
});

test('a service whose clean-up is done says who else holds it, of the newest generation', async () => {
  const cluster = await running();
  const held = await look(cluster);
  const finalizers = [...(held.metadata.finalizers ?? []), 'example.com/mine'];
  cluster.put({ ...held, metadata: { ...held.metadata, finalizers } });
  cluster.remove(ref);
  for (let events = 0; events < 5; events += 1) {
    await reconcileOn(cluster, ref);
    cluster.collectGarbage();
  }
  const left = await look(cluster);
  assert.deepEqual(left.metadata.finalizers, ['example.com/mine']);
  const { status } = left;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  assert.equal(ready?.message, 'Waiting for the finalizer example.com/mine to go');
  assert.equal(status?.observedGeneration, left.metadata.generation);
  cluster.put({ ...left, spec: { ...left.spec, expose: { remotePort: 7009 } } } as KubeObject);
  await reconcileOn(cluster, ref);
  const later = await look(cluster);
  assert.equal(later.status?.observedGeneration, later.metadata.generation);
  assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  cluster.put({ ...later, metadata: { ...later.metadata, finalizers: [] } });
  assert.equal(await cluster.get(ref), undefined);
});

test('a deletion waits for the Pods of a tunnel whose Deployment somebody took away without them', async () => {
  const cluster = await running();
  const { metadata } = await look(cluster);
  const pod = tunnelPod({ uid: metadata.uid ?? '' });
  cluster.put(pod);
  cluster.remove(ref);
  cluster.remove(tunnel);
  await reconcileOn(cluster, ref);
  await reconcileOn(cluster, ref, { now: '2026-01-01T01:00:00Z' });
  const { status } = await look(cluster);
  const blocked = status?.conditions?.find(({ type }) => type === 'CleanupBlocked');
  assert.match(
    blocked?.message ?? '',
    /^Pod shop\/frp-web-1 has not gone .*delete replicasets,pods --selector frp.io\/tunnel=web/,
  );
  assert.ok(await cluster.get(childRef('Secret', 'frp-web-identity')), 'a tunnel that may run still needs it');
  cluster.put({ ...pod, status: { phase: 'Failed' } } as KubeObject);
  for (let events = 0; events < 3; events += 1) await reconcileOn(cluster, ref);
  assert.equal(await cluster.get(ref), undefined, 'a Pod that has ended holds nothing');
});

test('a deletion that waits for Pods names the Deployment of somebody that keeps them', async () => {
  const cluster = await running();
  const deployment = await cluster.get(tunnel);
  assert.ok(deployment);
  const pod = tunnelPod({ uid: (await look(cluster)).metadata.uid ?? '' });
  const labels = { ...deployment.metadata.labels, ...pod.metadata.labels };
  cluster.put({ ...pod, metadata: { ...pod.metadata, labels } });
  cluster.put({ ...deployment, metadata: { ...deployment.metadata, labels: {}, ownerReferences: [] } });
  cluster.remove(ref);
  await reconcileOn(cluster, ref, { now: '2026-01-01T01:00:00Z' });
  const { status } = await look(cluster);
  const blocked = status?.conditions?.find(({ type }) => type === 'CleanupBlocked');
  assert.match(
    blocked?.message ?? '',
    /^Deployment shop\/frp-web has not gone .*; free it with: .* delete deployment frp-web$/,
  );
  assert.ok(await cluster.get(tunnel), 'what is not Knudge’s is left alone');
});

test('a deletion asks for nothing but its children, its Claims and its Pods', async () => {
  const cluster = await running();
  cluster.remove(ref);
  const before = cluster.calls.length;
  await reconcileOn(cluster, ref);
  const lists = cluster.calls.slice(before).filter(({ verb }) => verb === 'list');
  assert.deepEqual([...new Set(lists.map(({ ref: { kind } }) => kind))], ['Claim', 'Pod']);
});

test('whose backends are looked for in another way keeps those it has until the first answer', async () => {
  const cluster = await running();
  const selected = { discovery: 'selector', replicas: 1, selector: { matchLabels: { app: 'shop' } } } as const;
  const bySelector = { ...service.spec, backends: { ...selected, port: 8080 } };
  const before = await cluster.get(endpoints);
  cluster.put({ ...(await look(cluster)), spec: bySelector } as KubeObject);
  await reconcileOn(cluster, ref);
  assert.deepEqual(await cluster.get(endpoints), before);
  assert.equal(reasonOf(await look(cluster), 'Ready') === 'Running', false);
  // The control plane has looked, and nothing fits.
  const metadata = { labels: { 'kubernetes.io/service-name': 'frp-web-backends' } };
  const none = { metadata, addressType: 'IPv4', endpoints: [], ports: [] };
  cluster.put(object('discovery.k8s.io/v1 EndpointSlice', 'frp-web-backends-1', none));
  await reconcileOn(cluster, ref);
  assert.notDeepEqual(await cluster.get(endpoints), before);
});
