import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedServiceSpec } from '../../../../resources/distributed-service/types.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, distributedService, forUse, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, service, startTunnel, tunnel } from '../../../../test/build/running-service.ts';
import { issuer } from '../../../issuing/issuer.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const span = { notBefore: '2025-01-01T00:00:00Z', notAfter: '2035-01-01T00:00:00Z' };
const pair = await issuer.authority({ commonName: 'somebody', ...span });
const encode = (text: string): string => Buffer.from(text).toString('base64');
const certificate = object('Secret', 'own', {
  data: { 'tls.crt': encode(pair.certificate), 'tls.key': encode(pair.key) },
});
const token = object('Secret', 'own', { data: { token: encode('of the server') } });
const mtls = { enabled: true, autoGenerate: false, secretName: 'own' };
const withToken = serverProfile('default', { gate: 'false', tokenSecret: 'own' });

interface Case {
  readonly by: string;
  readonly spec: Partial<DistributedServiceSpec>;
  readonly profile: KubeObject;
  readonly secret: KubeObject;
  readonly condition: string;
  readonly reason: string;
}

const cases: readonly Case[] = [
  {
    by: 'mtls.secretName of a spec',
    spec: { security: { mtls } },
    profile: serverProfile(),
    secret: certificate,
    condition: 'CertificatesReady',
    reason: 'SecretNotForUse',
  },
  {
    by: 'tokenSecret of a profile',
    spec: {},
    profile: withToken,
    secret: token,
    condition: 'ConfigurationValid',
    reason: 'TokenSecretNotForUse',
  },
];

for (const { by, spec, profile, secret, condition, reason } of cases) {
  describe(`a Secret that is named by ${by}`, () => {
    const arrange = (...more: readonly KubeObject[]): MemoryCluster => {
      const cluster = memoryCluster();
      for (const one of [profile, distributedService('web', spec), backendPod('web-1', '10.0.0.1'), ...more])
        cluster.put(one);
      return cluster;
    };
    const told = async (cluster: MemoryCluster) =>
      (await look(cluster)).status?.conditions?.find(({ type }) => type === condition);

    it('is not mounted unless whoever may write it has marked it, and the command is told', async () => {
      const cluster = arrange(secret);
      await reconcileOn(cluster, ref);
      const found = await told(cluster);
      assert.equal(found?.reason, reason);
      assert.match(
        found?.message ?? '',
        /^Secret shop\/own .* kubectl label secret own --namespace shop frp\.io\/use=true$/,
      );
      assert.equal((await look(cluster)).status?.state, 'Failed');
      assert.equal(await cluster.get(tunnel), undefined);
    });

    it('is not marked by another value', async () => {
      const cluster = arrange({ ...secret, metadata: { ...secret.metadata, labels: { 'frp.io/use': 'yes' } } });
      await reconcileOn(cluster, ref);
      assert.equal((await told(cluster))?.reason, reason);
    });

    it('that an upgrade finds without the mark stops no tunnel: it stays as it is, and is Running again with the mark', async () => {
      const cluster = arrange(forUse(secret));
      await reconcileOn(cluster, ref);
      await startTunnel(cluster);
      await reconcileOn(cluster, ref);
      assert.equal((await look(cluster)).status?.state, 'Running');
      const before = await cluster.get(tunnel);
      cluster.put(secret);
      await reconcileOn(cluster, ref);
      assert.equal((await told(cluster))?.reason, reason);
      assert.deepEqual(await cluster.get(tunnel), before);
      cluster.put(forUse(secret));
      for (let events = 0; events < 2; events += 1) await reconcileOn(cluster, ref);
      assert.equal((await look(cluster)).status?.state, 'Running');
    });
  });
}

it('of a token no more than its metadata is asked for', async () => {
  const cluster = memoryCluster();
  for (const one of [withToken, distributedService('web'), forUse(token)]) cluster.put(one);
  await reconcileOn(cluster, ref);
  const asked = cluster.calls.flatMap(({ verb, ref: of }) => (of.kind === 'Secret' && of.name === 'own' ? [verb] : []));
  assert.deepEqual([...new Set(asked)], ['getMetadata']);
});
