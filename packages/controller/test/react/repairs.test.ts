import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributedServiceChanged } from '../../../../functions/distributed-service-changed.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, look, running, service, tunnel } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { toChange } from '../../wire/to-change.ts';
import { reactOn } from './react-on.ts';

const ref = refOf(service);
const sources = { resync: '/knudge/resync-due', person: '/by-hand' } as const;

/** The function as it is deployed, on a cluster in memory. */
function functionOn(cluster: MemoryCluster) {
  const { handle, lines, metrics } = reactOn(cluster, {
    handle: distributedServiceChanged,
    kind: 'frp.io/DistributedService',
  });
  return {
    lines,
    /** An event that asks after the service, handed to the function. */
    ask: async (source: keyof typeof sources, dryRun = false) => {
      const { apiVersion, ...names } = ref;
      const extensions = new Map(Object.entries({ apiversion: apiVersion, ...names }));
      const type = 'dev.knudge.resync.requested';
      const change = toChange({ id: 'e', type, source: sources[source], extensions, data: undefined });
      assert.ok(change);
      await handle(change, { dryRun });
    },
    count: async (): Promise<number> =>
      Number(/knudge_resync_repairs_total\{kind="DistributedService"\} (\d+)/.exec(await metrics.render())?.[1] ?? 0),
  };
}

const told = ({ calls }: MemoryCluster) =>
  calls.flatMap(({ notice }) => (notice?.reason === 'FoundByResync' ? [notice.note] : []));

const states: readonly [sentence: string, plant: (cluster: MemoryCluster) => unknown, what: readonly string[]][] = [
  [
    'a child that is gone',
    (cluster) => cluster.remove(tunnel),
    ['create Deployment shop/frp-web', 'status DistributedService shop/web'],
  ],
  [
    'a backend that nobody has announced',
    (cluster) => cluster.put(backendPod('web-2', '10.0.0.2')),
    ['apply ConfigMap shop/frp-web-endpoints', 'status DistributedService shop/web'],
  ],
  [
    'a child that was changed and whose mending leaves the status as it was',
    async (cluster) => {
      const config = (await cluster.get(childRef('ConfigMap', 'frp-web-endpoints'))) as KubeObject;
      cluster.put({ ...config, data: {} } as KubeObject);
    },
    ['apply ConfigMap shop/frp-web-endpoints'],
  ],
  [
    'a status that says what is no longer so',
    async (cluster) => {
      const live = await look(cluster);
      cluster.put({ ...live, status: { ...live.status, activeEndpoints: 7 } } as KubeObject);
    },
    ['status DistributedService shop/web'],
  ],
  [
    'a deletion that goes on',
    (cluster) => cluster.remove(ref),
    ['delete Deployment shop/frp-web', 'status DistributedService shop/web'],
  ],
];
for (const [sentence, plant, what] of states) {
  test(`the resync finds ${sentence}: counted, logged and told to people, once`, async () => {
    const cluster = await running();
    await plant(cluster);
    const fn = functionOn(cluster);
    await fn.ask('resync');
    assert.equal(await fn.count(), 1);
    const [line] = fn.lines.filter(({ msg }) => msg === 'found by the resync');
    assert.deepEqual(line?.['repaired'], what);
    assert.deepEqual([line?.['kind'], line?.['namespace'], line?.['name']], ['DistributedService', 'shop', 'web']);
    assert.deepEqual(told(cluster), [`No event had announced it, the resync found it: ${what.join(', ')}`]);
    await reconcileOn(cluster, ref);
    await fn.ask('resync');
    assert.equal(await fn.count(), 1, 'the next has nothing to mend');
  });
}

const none: readonly [sentence: string, act: (cluster: MemoryCluster, fn: ReturnType<typeof functionOn>) => unknown][] =
  [
    ['a service that is as it should be', (_, { ask }) => ask('resync')],
    [
      'what a person asks after',
      (cluster, { ask }) => {
        cluster.remove(tunnel);
        return ask('person');
      },
    ],
    [
      'what another event shares the run with',
      async (cluster, { ask }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        cluster.before = ({ verb }) => (verb === 'list' ? promise : undefined);
        const first = ask('resync');
        await new Promise(setImmediate);
        cluster.remove(tunnel);
        const others = [ask('resync'), ask('person')];
        resolve();
        await Promise.all([first, ...others]);
        assert.ok(await cluster.get(tunnel), 'it was mended');
      },
    ],
    [
      'a dry run',
      (cluster, { ask }) => {
        cluster.remove(tunnel);
        return ask('resync', true);
      },
    ],
    [
      'a Claim that was kept for its minute',
      async (cluster, { ask }) => {
        const live = await look(cluster);
        cluster.put({ ...live, spec: { ...live.spec, expose: { remotePort: 7099 } } } as KubeObject);
        await reconcileOn(cluster, ref);
        const letGo = (one: KubeObject) =>
          (Reflect.get(one, 'spec') as { state?: string } | undefined)?.state === 'Released';
        const [claim] = cluster.objects().filter(letGo);
        assert.ok(claim);
        cluster.put({ ...claim, spec: { ...Reflect.get(claim, 'spec'), since: '2020-01-01T00:00:00Z' } } as KubeObject);
        await ask('resync');
        assert.ok(!cluster.objects().some(letGo), 'it was taken away');
      },
    ],
    [
      'a status whose only news are its own times',
      async (cluster, { ask }) => {
        const live = await look(cluster);
        const conditions = live.status?.conditions?.map((one) => ({ ...one, lastTransitionTime: 'never' }));
        cluster.put({ ...live, status: { ...live.status, conditions, lastReconciled: 'never' } } as KubeObject);
        await ask('resync');
        assert.notEqual((await look(cluster)).status?.lastReconciled, 'never', 'it was written');
      },
    ],
  ];
for (const [sentence, act] of none) {
  test(`no repair is ${sentence}`, async () => {
    const cluster = await running(service.spec, { schemas: 'none' });
    const fn = functionOn(cluster);
    await act(cluster, fn);
    assert.equal(await fn.count(), 0);
    assert.deepEqual(told(cluster), []);
  });
}

test('what was mended before a write failed is told all the same', async () => {
  const cluster = await running();
  cluster.remove(tunnel);
  const fn = functionOn(cluster);
  cluster.before = ({ verb }) => {
    if (verb === 'status') throw new Error('away');
  };
  await assert.rejects(fn.ask('resync'));
  assert.equal(await fn.count(), 1);
  assert.deepEqual(told(cluster), ['No event had announced it, the resync found it: create Deployment shop/frp-web']);
});
