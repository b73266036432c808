import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KubeObject, refOf } from '../../../../packages/controller/domain/kube-object.ts';
import { at, claimOf, http, make, tcp, world } from '../../../../packages/controller/test/reconcile/claiming.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import type { DistributedService } from '../../types.ts';
import { askAs, type Op } from './question.ts';

const ops: readonly Op[] = ['login', 'ping', 'new-proxy'];

/** A profile of that name, in the controller's namespace unless it says otherwise. */
function profileWith(
  data: Readonly<Record<string, string>>,
  metadata: Partial<KubeObject['metadata']> = {},
): KubeObject {
  const made = serverProfile('default', data);
  return { ...made, metadata: { ...made.metadata, namespace: 'knudge', ...metadata } };
}

const profile = profileWith({});
const nonsense = { nonsense: 'yes' };
const spoilt = profileWith(nonsense);

/** The outcomes of a login, a heartbeat and a proxy, asked by the tunnel of a service of `shop` at the server of before. */
async function askAll(cluster: MemoryCluster, name = 'web'): Promise<readonly string[]> {
  const asked = ops.map(async (op) => askAs(op, { cluster, ref: at(name), path: '/knudge/frps-default' }));
  return (await Promise.all(asked)).map(({ outcome }) => outcome);
}

/** A pass, a look, and a resync. */
async function passes(cluster: MemoryCluster, name = 'web'): Promise<void> {
  await reconcileOn(cluster, at(name));
  await reconcileOn(cluster, at(name), { about: [refOf(profile)] });
  await reconcileOn(cluster, at(name), { tries: true });
}

const troubles: Readonly<Record<string, (cluster: MemoryCluster) => void>> = {
  'is spoilt by a typo': (cluster) => void cluster.put(spoilt),
  'is gone': (cluster) => cluster.remove(refOf(profile)),
  'is there twice': (cluster) => void cluster.put(profileWith({}, { name: 'frps-again' })),
  'stands behind a spoilt one of the namespace': (cluster) =>
    void cluster.put(profileWith(nonsense, { namespace: 'shop' })),
};

const services: Readonly<Record<string, DistributedService>> = {
  'with a port': tcp('web', 7001),
  'with a port that the server chooses': distributedService('web', { expose: {} }),
  'with a subdomain': http('web', { subdomain: 'web' }),
};

describe('the gate lets in what runs', () => {
  for (const [trouble, make_] of Object.entries(troubles)) {
    for (const [what, service] of Object.entries(services)) {
      it(`where the profile of a service ${what} ${trouble}, also after another spec that changes nothing there`, async () => {
        const cluster = world();
        await make(cluster, service);
        assert.deepEqual(await askAll(cluster), ['in', 'in', 'in']);
        make_(cluster);
        await passes(cluster);
        const { status } = (await cluster.get(at('web'))) as DistributedService;
        assert.equal(status?.conditions?.find(({ type }) => type === 'ConfigurationValid')?.status, 'False');
        assert.deepEqual(await askAll(cluster), ['in', 'in', 'in']);
        const changed: DistributedService = {
          ...service,
          spec: { ...service.spec, loadBalancing: { algorithm: 'least-conn' } },
        };
        cluster.put(changed);
        await passes(cluster);
        assert.deepEqual(await askAll(cluster), ['in', 'in', 'in']);
      });
    }
  }
});

const changes: readonly [sentence: string, to: Partial<DistributedService['spec']>, outcomes: readonly string[]][] = [
  ['another port', { expose: { remotePort: 7002 } }, ['in', 'in', 'not-held']],
  ['another profile', { serverProfile: 'nowhere' }, ['another-server', 'another-server', 'another-server']],
];

describe('while a profile is spoilt, the gate is asked by a service', () => {
  for (const [sentence, to, wanted] of changes) {
    it(`whose spec says ${sentence}: ${wanted.join(', ')}`, async () => {
      const cluster = world();
      await make(cluster, tcp('web', 7001));
      cluster.put(spoilt);
      await passes(cluster);
      cluster.put(tcp('web', 7001, to));
      await passes(cluster);
      assert.deepEqual(await askAll(cluster), wanted);
      cluster.put(tcp('web', 7001));
      cluster.put(profile);
      await passes(cluster);
      assert.deepEqual(await askAll(cluster), ['in', 'in', 'in']);
    });
  }

  it('that is being deleted: nobody is let in', async () => {
    const cluster = world();
    await make(cluster, tcp('web', 7001));
    cluster.put(spoilt);
    await passes(cluster);
    cluster.remove(at('web'));
    await reconcileOn(cluster, at('web'));
    assert.deepEqual(
      await askAll(cluster),
      ops.map(() => 'being-deleted'),
    );
  });

  it('whose Claim a hand has taken away: its subdomain, which another has by now, is not let in, and not published again', async () => {
    const below = { subDomainHost: 'example.com' };
    const cluster = world(below);
    await make(cluster, http('web', { subdomain: 'web' }));
    cluster.put(profileWith({ ...below, ...nonsense }));
    await passes(cluster);
    cluster.remove(refOf(claimOf(cluster, 'web.example.com')));
    await reconcileOn(cluster, at('web'), { wakes: true });
    assert.deepEqual(await askAll(cluster), ['in', 'in', 'not-held']);
    cluster.put(profileWith(below));
    await make(cluster, http('thief', { domains: ['web.example.com'] }));
    await reconcileOn(cluster, at('web'), { about: [refOf(profile)] });
    assert.deepEqual(await askAll(cluster), ['in', 'in', 'conflict']);
    assert.deepEqual(await askAll(cluster, 'thief'), ['in', 'in', 'in']);
  });
});
