import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflictReason } from '../../src/decide/distributed-service/claims.ts';
import type { DistributedService } from '../../src/domain/distributed-service.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { assertHas, at, balanced, http, isHeld, isLost, make, serviceEvent, tcp, verdict, world } from './claiming.ts';

describe('two services that want the same of one server', () => {
  it('the older one has it; the other is told whose it is, takes nothing, and is reachable inside the cluster', async () => {
    const cluster = world();
    await make(cluster, tcp('older', 7001), tcp('younger', 7001));
    await assertHas(cluster, 'older', isHeld);
    await assertHas(cluster, 'younger', isLost);
    const { message } = await verdict(cluster, 'younger');
    assert.match(
      message ?? '',
      /^the tcp port 7001 of the FRP server belongs to DistributedService older, which is older/,
    );
    const { status } = (await cluster.get(at('younger'))) as DistributedService;
    assert.equal(status?.state, 'Failed');
    assert.ok(await cluster.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'frp-younger' }));
  });

  it('of another namespace not even the name is told', async () => {
    const cluster = world();
    await make(cluster, http('secret', { subdomain: 'web' }, 'bank'), http('web', { subdomain: 'web' }));
    const { message, reason } = await verdict(cluster, 'web');
    assert.equal(reason, conflictReason);
    assert.match(message ?? '', /^the subdomain web of the FRP server belongs to one of another namespace, which/);
    assert.ok(!/secret|bank/.test(message ?? ''));
  });

  it('an older one that comes later takes it: its event wakes the other, which gives it up', async () => {
    const cluster = world();
    cluster.put(tcp('older', 7002));
    await make(cluster, tcp('younger', 7001));
    await make(cluster, tcp('older', 7001));
    await assertHas(cluster, 'older', isHeld);
    await assertHas(cluster, 'younger', isHeld);
    assert.deepEqual(await serviceEvent(cluster, await balanced(cluster, 'older')), ['shop/older', 'shop/younger']);
    await assertHas(cluster, 'younger', isLost);
  });

  it('of the same second the one with the lesser name counts as the older', async () => {
    const cluster = memoryCluster();
    cluster.put(serverProfile());
    await make(cluster, tcp('b', 7001), tcp('a', 7001));
    await reconcileOn(cluster, at('b'));
    await assertHas(cluster, 'a', isHeld);
    await assertHas(cluster, 'b', isLost);
  });

  it('the other gets it when the holder is gone, by the event of the Service that goes with it', async () => {
    const cluster = world();
    await make(cluster, tcp('older', 7001), tcp('younger', 7001));
    const last = await balanced(cluster, 'older');
    cluster.remove(at('older'));
    await reconcileOn(cluster, at('older'));
    await reconcileOn(cluster, at('younger'));
    await assertHas(cluster, 'younger', isLost);
    cluster.collectGarbage();
    await reconcileOn(cluster, at('older'));
    assert.equal(await balanced(cluster, 'older'), undefined);
    assert.deepEqual(await serviceEvent(cluster, last), ['shop/younger']);
    await assertHas(cluster, 'younger', isHeld);
    assert.equal((await verdict(cluster, 'younger')).address, 'frps.example.com:7001');
  });

  it('the other gets it when the holder wants something else, by the label that says so', async () => {
    const cluster = world();
    await make(cluster, tcp('older', 7001), tcp('younger', 7001));
    await make(cluster, tcp('older', 7002));
    const event = await balanced(cluster, 'older');
    assert.equal(Object.values(event?.metadata.labels ?? {}).filter((value) => value === 'released').length, 1);
    assert.deepEqual(await serviceEvent(cluster, event), ['shop/older', 'shop/younger']);
    await assertHas(cluster, 'younger', isHeld);
    assert.deepEqual(await balanced(cluster, 'older'), event, 'it stays as it is until the next change');
    await make(cluster, tcp('older', 7003));
    const { labels = {} } = (await balanced(cluster, 'older'))?.metadata ?? {};
    assert.equal(Object.keys(labels).filter((key) => key.startsWith('claim.frp.io/')).length, 2, 'and no longer');
  });

  it('the resync alone heals it too', async () => {
    const cluster = world();
    await make(cluster, tcp('older', 7001), tcp('younger', 7001));
    await make(cluster, tcp('older', 7002));
    await reconcileOn(cluster, at('younger'));
    await assertHas(cluster, 'younger', isHeld);
  });

  const apart: readonly [sentence: string, one: DistributedService, other: DistributedService][] = [
    ['a tcp and a udp port', tcp('a', 53), tcp('b', 53, { serviceType: 'udp' })],
    ['ports of two servers', tcp('a', 7001), tcp('b', 7001, { serverProfile: 'other' })],
    ['ports that the server chooses', distributedService('a', { expose: {} }), distributedService('b', { expose: {} })],
    [
      'paths of one domain',
      http('a', { domains: ['x.example.com'], locations: ['/a'] }),
      http('b', { domains: ['x.example.com'] }),
    ],
    ['a domain and a subdomain', http('a', { domains: ['web.example.com'] }), http('b', { subdomain: 'web' })],
  ];
  for (const [sentence, one, other] of apart) {
    it(`${sentence} are not the same`, async () => {
      const cluster = world();
      await make(cluster, one, other);
      await assertHas(cluster, 'a', isHeld);
      await assertHas(cluster, 'b', isHeld);
    });
  }

  it('one domain of many is enough, and the same path', async () => {
    const cluster = world();
    const expose = { domains: ['y.example.com', 'x.example.com'], locations: ['/b', '/a'] };
    await make(cluster, http('a', expose), http('b', { domains: ['x.example.com'], locations: ['/a', '/c'] }));
    assert.match((await verdict(cluster, 'b')).message ?? '', /^the domain x.example.com with path \/a of/);
  });

  it('a label that somebody wrote himself counts for nothing', async () => {
    const cluster = world();
    await make(cluster, tcp('older', 7002), tcp('web', 7001));
    const [own, forged] = [await balanced(cluster, 'web'), await balanced(cluster, 'older')];
    assert.ok(own && forged);
    cluster.put({
      ...forged,
      metadata: { ...forged.metadata, labels: { ...forged.metadata.labels, ...own.metadata.labels } },
    });
    await reconcileOn(cluster, at('web'));
    await assertHas(cluster, 'web', isHeld);
  });

  it('nothing is asked of the server before what is wanted has been told, and the others have been read after', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    const order = cluster.calls.map(({ verb, ref }) => `${verb} ${ref.kind} ${ref.name}`);
    const told = order.indexOf('create Service frp-web-balanced');
    const read = order.indexOf('list Service ', told);
    assert.ok(told >= 0 && read > told && order.indexOf('create ConfigMap frp-web-config') > read, order.join('\n'));
  });

  it('a service that is as it should be costs one list more, and no other read', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), distributedService('free', { expose: {} }));
    for (const name of ['web', 'free']) await reconcileOn(cluster, at(name));
    const [web, free] = [await reconcileOn(cluster, at('web')), await reconcileOn(cluster, at('free'))];
    assert.deepEqual([web.reads - free.reads, web.writes], [1, 0]);
  });
});
