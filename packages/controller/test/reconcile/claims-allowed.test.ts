import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import { distributedService, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { after, assertHas, at, claimsTold, http, isHeld, make, tcp, verdict, world } from './claiming.ts';

describe('a profile that says who may have what', () => {
  it('keeps a port from the namespaces that it does not name, and what they have becomes free', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    const { data, ...profile } = serverProfile('default', { allowedPorts: 'bank: 7001-7002' }) as KubeObject & {
      data: object;
    };
    cluster.put({ ...profile, data, metadata: { ...profile.metadata, namespace: 'knudge' } } as KubeObject);
    await reconcileOn(cluster, at('web'), { now: after(100) });
    await assertHas(cluster, 'web', { reason: 'ExposureNotAllowed', proxies: 0, address: undefined });
    assert.match(
      (await verdict(cluster, 'web')).message ?? '',
      /^the tcp port 7001 is not for namespace shop, as .* knudge\/frps-default say/,
    );
    assert.deepEqual(claimsTold(cluster), ['Released TCPPort 7001 by shop: web']);
    await reconcileOn(cluster, at('web'), { tries: true, now: after(160) });
    await make(cluster, distributedService('other', { expose: { remotePort: 7001 } }, { namespace: 'bank' }));
    await assertHas(cluster, 'bank/other', isHeld);
  });

  const domains = { allowedDomains: 'bank: *.example.com\n*: *.apps.example.com' };
  const ports = { allowedPorts: 'shop: 7001-7002' };
  const rows: readonly [
    sentence: string,
    profile: Record<string, string>,
    service: DistributedService,
    told: RegExp,
  ][] = [
    ['a domain', domains, http('web', { domains: ['a.example.com'] }), /^the domain a.example.com is not for/],
    ['a wildcard', domains, http('web', { domains: ['*.example.com'] }), /^the domain \*.example.com is not for/],
    ['a port that the server chooses', ports, distributedService('web', { expose: {} }), /: name a port in expose/],
  ];
  for (const [sentence, profile, service, told] of rows) {
    it(`keeps from others ${sentence}`, async () => {
      const cluster = world(profile);
      await make(cluster, service);
      await assertHas(cluster, 'web', { reason: 'ExposureNotAllowed', proxies: 0, address: undefined });
      assert.match((await verdict(cluster, 'web')).message ?? '', told);
      assert.deepEqual(claimsTold(cluster), []);
    });
  }
});
