import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflictReason } from '../../../../resources/distributed-service/claims/reasons.ts';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { refOf } from '../../domain/kube-object.ts';
import {
  after,
  assertHas,
  at,
  claimEvent,
  claimOf,
  claimsTold,
  http,
  isHeld,
  isLost,
  make,
  tcp,
  verdict,
  world,
} from './claiming.ts';

describe('two services that want the same of one server', () => {
  it('the first has it; the other is told whose it is, takes nothing, and is reachable inside the cluster', async () => {
    const cluster = world();
    await make(cluster, tcp('first', 7001), tcp('second', 7001));
    await assertHas(cluster, 'first', isHeld);
    await assertHas(cluster, 'second', isLost);
    const { message } = await verdict(cluster, 'second');
    assert.match(message ?? '', /^the tcp port 7001 of the FRP server belongs to DistributedService first: choose/);
    const { status } = (await cluster.get(at('second'))) as DistributedService;
    assert.equal(status?.state, 'Failed');
    assert.ok(await cluster.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'frp-second' }));
    assert.deepEqual(claimsTold(cluster), ['Held TCPPort 7001 by shop: first', 'Waiting TCPPort 7001 by shop: second']);
  });

  it('of another namespace not even the name is told', async () => {
    const cluster = world();
    await make(cluster, http('secret', { subdomain: 'web' }, 'bank'), http('web', { subdomain: 'web' }));
    const { message, reason } = await verdict(cluster, 'web');
    assert.equal(reason, conflictReason);
    assert.match(message ?? '', /^the subdomain web of the FRP server belongs to another namespace: choose/);
    assert.ok(!/secret|bank/.test(message ?? ''));
  });

  it('one that is older and comes later takes nothing', async () => {
    const cluster = world();
    cluster.put(tcp('sleeper', 7002));
    await make(cluster, tcp('bank', 7001));
    await make(cluster, tcp('sleeper', 7001));
    await assertHas(cluster, 'sleeper', isLost);
    await assertHas(cluster, 'bank', isHeld);
  });

  it('nothing is made of a port that is not held: the Claim stands before the configuration', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    const order = cluster.calls.map(({ verb, ref }) => `${verb} ${ref.kind}`);
    assert.ok(order.indexOf('create Claim') >= 0 && order.indexOf('create ConfigMap') > order.indexOf('create Claim'));
  });

  it('who comes second at the same moment sees whose it is', async () => {
    const cluster = world();
    cluster.put(tcp('first', 7001));
    cluster.put(tcp('second', 7001));
    let met = false;
    cluster.before = async ({ verb, ref, object }) => {
      if (met || verb !== 'create' || ref.kind !== 'Claim' || object === undefined) return;
      met = true;
      await reconcileOn(cluster, at('second'));
    };
    await reconcileOn(cluster, at('first'));
    await assertHas(cluster, 'second', isHeld);
    await assertHas(cluster, 'first', isLost);
  });
});

describe('what a service lets go', () => {
  it('by its deletion is the next one’s as soon as the event of its Claim comes, and not before its tunnel has gone', async () => {
    const cluster = world();
    await make(cluster, tcp('first', 7001), tcp('second', 7001), tcp('third', 7001));
    const claim = claimOf(cluster, '7001');
    cluster.remove(at('first'));
    await reconcileOn(cluster, at('first'));
    assert.deepEqual(await claimEvent(cluster, claim), ['shop/second', 'shop/third']);
    await assertHas(cluster, 'second', isLost);
    for (let steps = 0; steps < 3; steps += 1) {
      cluster.collectGarbage();
      await reconcileOn(cluster, at('first'));
    }
    assert.equal(await cluster.get(at('first')), undefined);
    assert.deepEqual(await claimEvent(cluster, claim), ['shop/first', 'shop/second', 'shop/third']);
    await assertHas(cluster, 'second', isHeld);
    await assertHas(cluster, 'third', isLost);
    assert.equal((await verdict(cluster, 'second')).address, 'frps.example.com:7001');
  });

  it('by another spec is kept a minute for its namespace, and then the next one’s', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), inBank('other', 7001));
    cluster.put(tcp('web', 7002));
    await reconcileOn(cluster, at('web'), { now: after(100) });
    const released = claimOf(cluster, '7001');
    assert.equal(released.spec.state, 'Released');
    await claimEvent(cluster, released);
    await assertHas(cluster, 'bank/other', isLost);
    await reconcileOn(cluster, at('web'), { tries: true, now: after(159) });
    assert.equal(claimOf(cluster, '7001').spec.state, 'Released');
    await reconcileOn(cluster, at('web'), { tries: true, now: after(160) });
    assert.deepEqual(await claimEvent(cluster, released), ['bank/other']);
    await assertHas(cluster, 'bank/other', isHeld);
  });

  it('is its own again when it comes back in time', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), inBank('other', 7001));
    await make(cluster, tcp('web', 7002));
    await make(cluster, tcp('web', 7001));
    await assertHas(cluster, 'web', isHeld);
    await assertHas(cluster, 'bank/other', isLost);
    assert.equal(claimOf(cluster, '7001').spec.state, 'Held');
  });

  it('is found by the resync alone too, whoever comes first in it', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), inBank('other', 7001));
    cluster.put(tcp('web', 7002));
    await reconcileOn(cluster, at('web'), { now: after(100) });
    await reconcileOn(cluster, at('other', 'bank'), { tries: true, now: after(400) });
    await assertHas(cluster, 'bank/other', isHeld);
  });

  it('without a word is found by the resync: a service that is gone, or is another of that name, holds nothing', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), inBank('other', 7001));
    cluster.put({ ...tcp('web', 7001), metadata: { ...tcp('web', 7001).metadata, finalizers: [] } });
    cluster.remove(at('web'));
    await reconcileOn(cluster, at('other', 'bank'));
    await assertHas(cluster, 'bank/other', isLost);
    await reconcileOn(cluster, at('other', 'bank'), { tries: true });
    await assertHas(cluster, 'bank/other', isHeld);
  });

  it('by a hand that deletes the Claim is its own again, before those who wait', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001), inBank('other', 7001));
    const claim = claimOf(cluster, '7001');
    cluster.remove(refOf(claim));
    assert.deepEqual(await claimEvent(cluster, claim), ['shop/web', 'bank/other']);
    await assertHas(cluster, 'web', isHeld);
    await assertHas(cluster, 'bank/other', isLost);
  });
});

function inBank(name: string, remotePort: number): DistributedService {
  return distributedService(name, { expose: { remotePort } }, { namespace: 'bank' });
}
