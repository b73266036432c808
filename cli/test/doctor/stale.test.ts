import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOut } from './carry-out.ts';
import { ills, installAll, manifests, type Opened, openCluster, settle } from './cluster.ts';
import { adapterDeployment, adapterOf, channel, deployments } from './knatives.ts';

const part = (name: string) => deployments.find(({ metadata }) => metadata.name === name) ?? assert.fail(name);
const asleep = (one: ReturnType<typeof part>) => ({ ...one, spec: { ...one.spec, replicas: 0 } });

const plants: readonly { name: string; plant: (cluster: Opened) => Promise<unknown>; finds: readonly string[] }[] = [
  {
    name: 'the adapter is deleted and its controller asleep',
    plant: async ({ put, remove }) => {
      await put(asleep(part('eventing-controller')));
      await remove(adapterDeployment('cluster-objects'));
      await remove(adapterOf('cluster-objects'));
    },
    finds: [
      'problem knative: Deployment knative-eventing/eventing-controller has 0 replicas',
      'problem sources: ApiServerSource knudge/cluster-objects has no Pod that is ready, whatever its conditions say',
    ],
  },
  {
    name: 'nothing ticks',
    plant: ({ put }) => put(asleep(part('pingsource-mt-adapter'))),
    finds: [
      'problem sources: PingSource knudge/resync-due has nothing that ticks, whatever its conditions say: Deployment knative-eventing/pingsource-mt-adapter has 0 replicas',
    ],
  },
  {
    name: 'the Broker in memory hands nothing on',
    plant: async ({ put }) => {
      await put(channel('InMemoryChannel'));
      await put(asleep(part('imc-dispatcher')));
    },
    finds: [
      'problem knative: Deployment knative-eventing/imc-dispatcher has 0 replicas',
      'warning brokers: Broker knudge/knudge is not durable: its channel is InMemoryChannel',
    ],
  },
];
for (const { name, plant, finds } of plants) {
  test(`found although every condition is True: ${name}`, async (context) => {
    const cluster = await openCluster(context);
    await installAll(cluster);
    await plant(cluster);
    const examined = await cluster.examine();
    assert.deepEqual(ills(examined), finds);
    for (const { level, todo = '' } of examined.findings) if (level === 'problem') await carryOut(todo, cluster);
    await settle(cluster, manifests);
    assert.deepEqual(
      ills(await cluster.examine()).filter((line) => line.startsWith('problem')),
      [],
    );
  });
}

test('what the networking layer lacks is told once, and a gateway is one', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  await cluster.put(asleep(part('3scale-kourier-gateway')));
  assert.deepEqual(ills(await cluster.examine()), [
    'problem knative: Deployment kourier-system/3scale-kourier-gateway has 0 replicas',
  ]);
});

test('a cluster without Knative is told so first, and nothing that follows from it', async (context) => {
  const cluster = await openCluster(context);
  const look = { ...cluster.look, serves: async () => false };
  const found = ills(await cluster.examine({ look }));
  assert.deepEqual(found.slice(0, 2), [
    'problem knative: Knative Eventing is not installed: the cluster has no API eventing.knative.dev/v1, sources.knative.dev/v1',
    'problem knative: Knative Serving is not installed: the cluster has no API serving.knative.dev/v1',
  ]);
  const checks = new Set(found.map((line) => line.split(' ')[1]));
  assert.deepEqual([...checks], ['knative:', 'definitions:', 'sources:', 'rights:']);
  assert.ok(found.filter((line) => / sources: /.test(line)).every((line) => / may not /.test(line)));
});

test('without Knative Serving alone the events still are looked at', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const look = {
    ...cluster.look,
    serves: async (api: string) => !api.startsWith('serving') && cluster.look.serves(api),
  };
  assert.deepEqual(ills(await cluster.examine({ look })), [
    'problem knative: Knative Serving is not installed: the cluster has no API serving.knative.dev/v1',
  ]);
});

test('what a source may not read is told by roles where the authorizer cannot be asked', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const role = manifests.find(
    ({ kind, metadata }) => `${kind} ${metadata.name}` === 'ClusterRole knudge-secret-references',
  );
  await cluster.remove(role ?? assert.fail());
  const look = { ...cluster.look, ask: () => Promise.reject(new Error('forbidden')) };
  assert.deepEqual(ills(await cluster.examine({ look })), [
    'unchecked sources: not checked: what the sources may read (forbidden)',
    'problem rights: ServiceAccount knudge/secret-references may not in all namespaces: get secrets, list secrets, watch secrets, since there is no ClusterRole knudge-secret-references',
  ]);
});
