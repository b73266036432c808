import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimPrefix } from '../../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { shortHash } from '../../domain/names.ts';
import { assertHas, at, claimsIn, claimsTold, http, isHeld, isLost, make, tcp, world } from './claiming.ts';

/** As a version before this one has left it: no Claim, and labels for what each service wants, in the order of their age. */
async function before(...services: readonly { readonly one: DistributedService; readonly wants: readonly string[] }[]) {
  const cluster = world();
  for (const { one, wants } of services) {
    await make(cluster, { ...one, spec: { ...one.spec, serviceType: 'tcp', expose: {} } });
    const { name, namespace = '' } = one.metadata;
    const ref = { apiVersion: 'v1', kind: 'Service', namespace, name: `frp-${name}-balanced` };
    const service = (await cluster.get(ref)) ?? assert.fail();
    const keys = wants.map((want) => [`${claimPrefix}${shortHash(`knudge/default ${want}`)}`, 'held']);
    const labels = { ...service.metadata.labels, ...Object.fromEntries(keys) };
    cluster.put({ ...service, metadata: { ...service.metadata, labels } });
    cluster.put(one);
  }
  assert.deepEqual(claimsIn(cluster), []);
  return cluster;
}

const port = ['tcp port 7001'];
const labelled = async (cluster: MemoryCluster, name: string) => {
  const service = await cluster.get({
    apiVersion: 'v1',
    kind: 'Service',
    namespace: 'shop',
    name: `frp-${name}-balanced`,
  });
  return Object.entries(service?.metadata.labels ?? {}).filter(
    ([key, value]) => key.startsWith(claimPrefix) && value === 'held',
  );
};

describe('an upgrade from claims that were labels', () => {
  it('leaves what it has to the older one, whoever is looked at first', async () => {
    const cluster = await before({ one: tcp('older', 7001), wants: port }, { one: tcp('younger', 7001), wants: port });
    await reconcileOn(cluster, at('younger'));
    await assertHas(cluster, 'younger', isLost);
    await reconcileOn(cluster, at('older'));
    await assertHas(cluster, 'older', isHeld);
    assert.deepEqual(claimsTold(cluster), [
      'Held TCPPort 7001 by shop: older',
      'Waiting TCPPort 7001 by shop: younger',
    ]);
    assert.deepEqual(await labelled(cluster, 'older'), []);
  });

  it('gives a new one nothing of what an older one has by its label', async () => {
    const cluster = await before({ one: tcp('older', 7001), wants: port });
    await make(cluster, tcp('new', 7001));
    await assertHas(cluster, 'new', isLost);
    await reconcileOn(cluster, at('older'));
    await assertHas(cluster, 'older', isHeld);
  });

  it('knows hosts and their paths', async () => {
    const expose = { domains: ['x.example.com'], locations: ['/a'] };
    const cluster = await before({ one: http('older', expose), wants: ['domain x.example.com with path /a'] });
    await make(
      cluster,
      http('new', { domains: ['x.example.com'], locations: ['/a', '/b'] }),
      http('other', expose, 'bank'),
    );
    await assertHas(cluster, 'new', isLost);
    await assertHas(cluster, 'bank/other', isLost);
    await reconcileOn(cluster, at('older'));
    await assertHas(cluster, 'older', isHeld);
  });

  it('leaves a host to who has all of it, although another namespace had a path of it', async () => {
    const cluster = await before({
      one: http('shop', { domains: ['x.example.com'] }),
      wants: ['domain x.example.com'],
    });
    await make(cluster, http('evil', { domains: ['x.example.com'], locations: ['/login'] }, 'evil'));
    await assertHas(cluster, 'evil/evil', isLost);
    await reconcileOn(cluster, at('shop'));
    await assertHas(cluster, 'shop', isHeld);
  });

  it('believes no label whose service wants something else, and none of a younger one', async () => {
    const cluster = await before({ one: tcp('liar', 7002), wants: port });
    await make(cluster, tcp('web', 7001));
    await assertHas(cluster, 'web', isHeld);
  });

  it('is over for a service that has its Claims: no label is looked for any more', async () => {
    const cluster = await before({ one: tcp('older', 7001), wants: port });
    for (let events = 0; events < 3; events += 1) await reconcileOn(cluster, at('older'));
    const calls = cluster.calls.length;
    assert.equal((await reconcileOn(cluster, at('older'))).writes, 0);
    const lists = cluster.calls.slice(calls).filter(({ verb, ref }) => verb === 'list' && ref.namespace === '');
    assert.deepEqual(lists, []);
  });
});
