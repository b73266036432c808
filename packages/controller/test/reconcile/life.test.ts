import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, forUse, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import {
  look,
  reasonOf,
  running,
  secured,
  service,
  startTunnel,
  tunnel,
} from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
test('a service waits for its server profile, is provisioned, runs, is updated and runs again', async () => {
  const cluster = memoryCluster();
  cluster.put(service);
  await reconcileOn(cluster, ref);
  assert.equal((await look(cluster)).status?.state, 'Pending');
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'ServerProfileNotFound');
  cluster.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace: 'knudge' } });
  cluster.put(backendPod('web-1', '10.0.0.1'));
  await reconcileOn(cluster, ref);
  assert.equal((await look(cluster)).status?.state, 'Provisioning');
  await startTunnel(cluster);
  const ready = await look(cluster);
  assert.equal(ready.status?.state, 'Running');
  assert.equal(ready.status?.serverProfile, 'knudge/frps-default');
  assert.equal(ready.status?.address, 'frps.example.com:7001');
  assert.equal(ready.status?.activeEndpoints, 1);
  assert.equal(ready.status?.selector, 'frp.io/service=web');
  cluster.put({ ...service, spec: { ...service.spec, expose: { remotePort: 7002 } } } as KubeObject);
  await reconcileOn(cluster, ref);
  assert.equal((await look(cluster)).status?.state, 'Updating');
  await startTunnel(cluster);
  assert.equal((await look(cluster)).status?.state, 'Running');
});

test('a backend more changes the endpoints alone: the tunnel is not touched and the service goes on running', async () => {
  const cluster = await running();
  const before = await cluster.get(tunnel);
  cluster.put(backendPod('web-2', '10.0.0.2'));
  const { writes } = await reconcileOn(cluster, ref);
  assert.equal(writes, 2, 'the endpoints and the status');
  assert.deepEqual(await cluster.get(tunnel), before);
  const { status } = await look(cluster);
  assert.equal(status?.state, 'Running');
  assert.equal(status?.activeEndpoints, 2);
});

test('another image for Messages is no reason to restart a tunnel, another one for Envoy is', async () => {
  const cluster = await running();
  const images = { frpc: 'frpc:1', envoy: 'envoy:1', message: 'busybox:1' };
  assert.equal((await reconcileOn(cluster, ref, { images: { ...images, message: 'busybox:2' } })).writes, 0);
  assert.equal((await reconcileOn(cluster, ref, { images: { ...images, envoy: 'envoy:2' } })).writes, 2);
});

test('the last backend going is told, and its coming back too', async () => {
  const cluster = await running();
  cluster.remove(refOf(backendPod('web-1', '')));
  await reconcileOn(cluster, ref);
  assert.equal(reasonOf(await look(cluster), 'BackendsAvailable'), 'NoBackendsFound');
  assert.equal((await look(cluster)).status?.state, 'Updating');
  cluster.put(backendPod('web-1', '10.0.0.1'));
  await reconcileOn(cluster, ref);
  assert.equal(reasonOf(await look(cluster), 'BackendsAvailable'), 'BackendsReady');
  assert.equal((await look(cluster)).status?.state, 'Running');
  const told = cluster.calls.flatMap(({ notice }) => (notice === undefined ? [] : [notice.reason]));
  assert.ok(told.includes('NoBackendsFound'));
});

test('an authority and a leaf are made once, kept, renewed at two thirds of their life, and the tunnel is not restarted', async () => {
  const cluster = await running(secured);
  const secret = async (name: string) => cluster.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name });
  const [authority, leaf, deployment] = [
    await secret('frp-default-ca'),
    await secret('frp-web-tls'),
    await cluster.get(tunnel),
  ];
  assert.ok(authority && leaf);
  assert.equal((await look(cluster)).status?.state, 'Running');
  assert.equal((await reconcileOn(cluster, ref, { now: '2026-01-05T00:00:00Z' })).writes, 0);
  assert.ok((await reconcileOn(cluster, ref, { now: '2026-01-05T20:00:00Z' })).writes > 0);
  assert.notDeepEqual(await secret('frp-web-tls'), leaf);
  assert.deepEqual(await secret('frp-default-ca'), authority);
  assert.deepEqual(await cluster.get(tunnel), deployment);
});

test('no leaf outlives its authority, and one that may get no successor is told in time, and when it signs no more', async () => {
  const cluster = await running(secured);
  const authority = await cluster.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-default-ca' });
  cluster.put({ ...authority, immutable: true } as unknown as KubeObject);
  const leaf = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-web-tls' };
  await reconcileOn(cluster, ref, { now: '2035-12-27T00:00:00Z' });
  const told = (await look(cluster)).status?.conditions?.find(({ type }) => type === 'CertificatesReady');
  assert.match(told?.message ?? '', /Secret shop\/frp-default-ca is immutable, .* gets no successor: delete it/);
  const last = await cluster.get(leaf);
  const { data } = last as unknown as { data: Readonly<Record<string, string>> };
  const text = Buffer.from(data['tls.crt'] ?? '', 'base64');
  assert.equal(new X509Certificate(text).validToDate.toISOString(), '2035-12-29T23:50:00.000Z');
  await reconcileOn(cluster, ref, { now: '2035-12-30T00:00:00Z' });
  assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), 'AuthorityExpired');
  assert.deepEqual(await cluster.get(leaf), last);
});

test('two instances that make an authority at once end with one, and with a leaf that it signed', async () => {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), { ...service, spec: secured }]) cluster.put(one);
  let second: Promise<unknown> | undefined;
  cluster.before = async ({ verb, ref: { name } }) => {
    if (second !== undefined || verb !== 'create' || name !== 'frp-default-ca') return;
    second = reconcileOn(cluster, ref);
    await second;
  };
  await reconcileOn(cluster, ref);
  assert.ok(second);
  assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), 'CertificatesProvisioned');
  assert.equal((await reconcileOn(cluster, ref)).writes, 0);
});

const badAuthorities: readonly [sentence: string, labels: Readonly<Record<string, string>>, reason: string][] = [
  ['that somebody else made', {}, 'AuthorityForeign'],
  [
    'of ours without its key',
    { 'frp.io/certificate-authority': 'default', 'app.kubernetes.io/managed-by': 'knudge' },
    'AuthorityInvalid',
  ],
];
for (const [sentence, labels, reason] of badAuthorities) {
  test(`an authority ${sentence} signs nothing and is told`, async () => {
    const cluster = memoryCluster();
    const authority = object('Secret', 'frp-default-ca', { metadata: { labels }, data: { 'tls.crt': 'YQ==' } });
    for (const one of [serverProfile(), { ...service, spec: secured }, authority]) cluster.put(one);
    const before = await cluster.get(refOf(authority));
    await reconcileOn(cluster, ref);
    assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), reason);
    assert.deepEqual(await cluster.get(refOf(authority)), before);
  });
}

const supplied = { ...service.spec, security: { mtls: { enabled: true, autoGenerate: false, secretName: 'mine' } } };
const badSecrets: readonly [sentence: string, secret: KubeObject | undefined, reason: string][] = [
  ['that does not exist', undefined, 'SecretNotFound'],
  ['without a key', forUse(object('Secret', 'mine', { data: { 'tls.crt': 'YQ==' } })), 'SecretInvalid'],
  [
    'with nonsense',
    forUse(object('Secret', 'mine', { data: { 'tls.crt': 'YQ==', 'tls.key': btoa('%%%') } })),
    'SecretInvalid',
  ],
  ['that nobody marked', object('Secret', 'mine', { data: { 'tls.crt': 'YQ==' } }), 'SecretNotForUse'],
];
for (const [sentence, secret, reason] of badSecrets) {
  test(`a named Secret ${sentence} is told and never replaced`, async () => {
    const cluster = memoryCluster();
    for (const one of [serverProfile(), { ...service, spec: supplied }, secret])
      if (one !== undefined) cluster.put(one);
    await reconcileOn(cluster, ref);
    assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), reason);
    assert.equal((await look(cluster)).status?.state, 'Failed');
    const found = await cluster.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'mine' });
    assert.deepEqual((found as { data?: unknown } | undefined)?.data, (secret as { data?: unknown } | undefined)?.data);
  });
}

test('another spec reached by any history gives the same children as a fresh one', async () => {
  const fresh = memoryCluster();
  const target = { ...secured, serviceType: 'http', expose: { domains: ['a.example.com'] } } as typeof service.spec;
  for (const one of [serverProfile(), { ...service, spec: target }, backendPod('web-1', '10.0.0.1')]) fresh.put(one);
  await reconcileOn(fresh, ref);
  const other = await running();
  other.put({ ...service, spec: target } as KubeObject);
  await reconcileOn(other, ref);
  const shape = async (cluster: MemoryCluster) => {
    const { spec } = (await cluster.get(tunnel)) as unknown as { spec: { template: { spec: unknown } } };
    const config = await cluster.get({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'frp-web-config',
    });
    const data = JSON.stringify((config as { data?: unknown } | undefined)?.data);
    return { pod: spec.template.spec, data: data.replaceAll(/\\"uid\\": \\"[^"]*\\"/g, '') };
  };
  assert.deepEqual(await shape(other), await shape(fresh));
});
