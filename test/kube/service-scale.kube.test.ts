import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { object } from '../build/objects.ts';
import { mtls, runWeb, useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices(runWeb);

test('certificates are made once, mounted, and taken away with mtls', async () => {
  const { arena, namespace, build, pod, child, tunnelOf, reasonOf } = services();
  await arena.put(pod('tls-1', { 'frp.io/service': 'tls' }));
  await arena.put(build('tls', { security: mtls }));
  await arena.running(namespace, 'tls');
  assert.equal(await reasonOf('tls', 'CertificatesReady'), 'CertificatesProvisioned');
  const secret = (await child('Secret', 'frp-tls-tls')) as { data?: Record<string, string>; type?: string } | undefined;
  assert.equal(secret?.type, 'kubernetes.io/tls');
  assert.match(JSON.stringify(await tunnelOf('tls')), /frp-tls-tls/);
  await arena.settled(build('tls'));
  await arena.put(build('tls'));
  await until('the leaf and its mount are gone', async () => {
    const [leaf, tunnel] = [await child('Secret', 'frp-tls-tls'), JSON.stringify(await tunnelOf('tls'))];
    return leaf === undefined && !tunnel.includes('frp-tls-tls');
  });
  await arena.running(namespace, 'tls');
});

test('kubectl scale sets what must be active, and scales the workload where one is named', async () => {
  const { arena, namespace, build, child, reasonOf } = services();
  const scale = (name: string, replicas: number): void => {
    const { status, stderr } = spawnSync('kubectl', [
      '--kubeconfig',
      arena.kubeconfig,
      '-n',
      namespace,
      'scale',
      `distributedservice/${name}`,
      `--replicas=${String(replicas)}`,
    ]);
    assert.equal(status, 0, `kubectl is needed for this test: ${String(stderr)}`);
  };
  scale('web', 5);
  await until('too few backends', async () => (await reasonOf('web', 'BackendsAvailable')) === 'TooFewBackends');
  scale('web', 1);
  await arena.running(namespace, 'web');
  const labels = { app: 'work', 'frp.io/service': 'scaled' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  const workload = object('apps/v1 Deployment', 'work', {
    metadata: { namespace },
    spec: { replicas: 1, selector: { matchLabels: { app: 'work' } }, template },
  });
  await arena.put(workload);
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'work' } as const;
  await arena.put(build('scaled', { backends: { discovery: 'auto', port: 8080, replicas: 2, workloadRef } }));
  await arena.running(namespace, 'scaled');
  const replicas = async () =>
    ((await child('Deployment', 'work', 'apps/v1')) as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
  await until('the workload has two', async () => (await replicas()) === 2);
  scale('scaled', 3);
  await until(
    'the workload has three and all are active',
    async () => (await replicas()) === 3 && (await arena.service(namespace, 'scaled'))?.status?.activeEndpoints === 3,
  );
  assert.equal((await arena.service(namespace, 'scaled'))?.status?.selector, 'app=work');
});
