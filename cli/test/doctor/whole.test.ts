import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { message } from '../../../test/build/objects.ts';
import { reportOf } from '../../doctor/report.ts';
import { ills, installAll, lease, manifests, type Opened, openCluster } from './cluster.ts';
import { adapterOf, channel } from './knatives.ts';

/** One of the manifests. */
function manifest(kind: string, name: string): Manifest {
  const found = manifests.find(
    (one) => one.kind === kind && one.metadata.name === name && !/^v1$/.test(one.apiVersion),
  );
  assert.ok(found, `${kind} ${name}`);
  return found as Manifest;
}

interface Manifest extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly rules: readonly { readonly resources: readonly string[] }[];
}

test('a cluster where all is well', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const examined = await cluster.examine();
  assert.deepEqual(ills(examined), []);
  assert.ok(examined.counts.ok > 40, String(examined.counts.ok));
  const text = reportOf(examined, (_level, word) => word);
  assert.match(text, /^ok {7}the Deployments of Knative Eventing that Knudge needs are available\n/);
  assert.match(text, /\nok {7}CustomResourceDefinition distributedservices\.frp\.io is established\n/);
  assert.match(text, /\n\n0 problems, 0 warnings, \d+ ok, 0 not checked$/);
});

test('a cluster with nothing in it', async (context) => {
  const cluster = await openCluster(context);
  const found = ills(
    await cluster.examine({ countDeadLetters: () => Promise.reject(new Error('there is no event log')) }),
  );
  for (const one of manifests) {
    if (/Definition|Source|Broker|Trigger|Channel|Subscription/.test(one.kind))
      assert.ok(
        found.some((line) => line.includes(`${one.metadata.name} is not there`)),
        one.metadata.name,
      );
  }
  assert.ok(found.includes('unchecked dead-letters: not checked: open dead letters (there is no event log)'));
});

const plants: readonly { name: string; plant: (cluster: Opened) => Promise<unknown>; finds: readonly RegExp[] }[] = [
  {
    name: 'a CRD is gone',
    plant: ({ remove }) => remove(manifest('CustomResourceDefinition', 'messages.myorg.dev')),
    finds: [/^problem definitions: CustomResourceDefinition messages\.myorg\.dev is not there$/],
  },
  {
    name: 'the source began before the CRDs',
    plant: ({ tell }) => tell(adapterOf('cluster-objects'), { startTime: '2020-01-01T00:00:00Z' }),
    finds: manifests
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ metadata }) => metadata.name)
      .sort()
      .map(
        (name) => new RegExp(`^problem definitions: ApiServerSource knudge/cluster-objects began before .* ${name}`),
      ),
  },
  {
    name: 'a source is not ready',
    plant: ({ tell }) =>
      tell(manifest('ApiServerSource', 'cluster-objects'), {
        conditions: [{ type: 'Ready', status: 'False', reason: 'SinkNotFound', message: 'no Broker' }],
      }),
    finds: [/^problem sources: ApiServerSource knudge\/cluster-objects is not ready \(SinkNotFound: no Broker\)$/],
  },
  {
    name: 'the source may not read Pods',
    plant: async ({ put }) => {
      const role = manifest('ClusterRole', 'knudge-cluster-objects');
      await put({ ...role, rules: role.rules.filter(({ resources }) => !resources.includes('pods')) } as KubeObject);
    },
    finds: [/^problem sources: ServiceAccount knudge\/cluster-objects may not .*get pods, .*list pods, .*watch pods/],
  },
  {
    name: 'the tick is gone',
    plant: ({ remove }) => remove(manifest('PingSource', 'resync-due')),
    finds: [/^problem sources: PingSource knudge\/resync-due is not there$/],
  },
  {
    name: 'the Broker keeps nothing',
    plant: ({ put }) => put(channel('InMemoryChannel')),
    finds: [/^warning brokers: Broker knudge\/knudge is not durable: its channel is InMemoryChannel$/],
  },
  {
    name: 'a Trigger gives up at once, and for ever, and waits for ever',
    plant: async ({ put }) => {
      const broker = manifest('Broker', 'knudge');
      await put({ ...broker, spec: {} } as KubeObject);
      const trigger = manifest('Trigger', 'pod-changed');
      const { delivery: _, ...spec } = trigger.spec;
      await put({ ...trigger, spec } as KubeObject);
    },
    finds: [
      /^problem triggers: Trigger knudge\/pod-changed has no dead-letter sink$/,
      /^warning triggers: Trigger knudge\/pod-changed tries nothing again$/,
      /^warning triggers: Trigger knudge\/pod-changed has no time-out$/,
    ],
  },
  {
    name: 'nobody subscribes to the channel before the event log',
    plant: ({ remove }) => remove(manifest('Subscription', 'event-log')),
    finds: [/^problem channels: Subscription knudge\/event-log is not there$/],
  },
  {
    name: 'a function is gone',
    plant: ({ remove }) => remove(manifest('Service', 'message-changed')),
    finds: [/^problem functions: Service knudge\/message-changed is not there$/],
  },
  {
    name: 'the account of a function lost a right and got another',
    plant: ({ put }) => {
      const role = manifest('ClusterRole', 'knudge-message');
      const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }, ...role.rules.slice(1)];
      return put({ ...role, rules } as KubeObject);
    },
    finds: [
      /^problem rights: ServiceAccount knudge\/message may not in all namespaces: get messages of myorg\.dev, since ClusterRole knudge-message does not grant that$/,
      /^warning rights: ServiceAccount knudge\/message may more than deploy\/ grants in all namespaces: list secrets, by ClusterRoleBinding knudge-message$/,
    ],
  },
  {
    name: 'the account of a source got a right',
    plant: async ({ put }) => {
      const binding = manifest('ClusterRoleBinding', 'knudge-secret-references');
      const name = { metadata: { name: 'mine' } };
      const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'delete'] }];
      await put({ ...manifest('ClusterRole', 'knudge-secret-references'), ...name, rules } as KubeObject);
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'mine' };
      await put({ ...binding, ...name, roleRef } as KubeObject);
    },
    finds: [
      /^warning rights: ServiceAccount knudge\/secret-references may more than deploy\/ grants in all namespaces: delete secrets, by ClusterRoleBinding mine$/,
    ],
  },
  {
    name: 'there was no resync for half an hour',
    plant: ({ put, clock }) => put(lease(clock.seconds - 1700)),
    finds: [/^problem resync: the last resync began 1700 s ago/],
  },
  {
    name: 'a Message does not go',
    plant: async ({ put, remove, clock }) => {
      const stuck = message('stuck', 'hi', { namespace: 'default', finalizers: ['example.com/forever'] });
      await put(stuck);
      await remove(stuck);
      clock.seconds += 400;
    },
    finds: [/^problem deletions: Message default\/stuck has been leaving for 400 s$/],
  },
];
for (const { name, plant, finds } of plants) {
  test(`found, and nothing else: ${name}`, async (context) => {
    const cluster = await openCluster(context);
    await installAll(cluster);
    await plant(cluster);
    const found = ills(await cluster.examine());
    assert.equal(found.length, finds.length, found.join('\n'));
    for (const [index, pattern] of finds.entries()) assert.match(found[index] ?? '', pattern);
  });
}

test('a server that is not reached and dead letters are warnings', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const examined = await cluster.examine({ reach: async () => 'ECONNREFUSED', countDeadLetters: async () => 1 });
  assert.deepEqual(
    ills(examined).map((line) => line.replace(/ at .*/, '')),
    [
      'warning profiles: FRP server default (ConfigMap default/frp-server-default)',
      'warning dead-letters: 1 dead letter is open',
    ],
  );
  assert.equal(examined.counts.problem, 0);
});

test('where Knudge is in another namespace, that is where it is looked for', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const found = ills(await cluster.examine({ namespace: 'elsewhere' }));
  assert.ok(found.includes('problem brokers: Broker elsewhere/knudge is not there'), found.join('\n'));
});

test('what may not be read is not checked, with the reason', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster);
  const no = () => Promise.reject(new Error('forbidden'));
  const examined = await cluster.examine({ look: { get: no, list: no, serves: no, ask: no } });
  const { ok, problem, warning, unchecked } = examined.counts;
  assert.deepEqual({ ok, problem, warning, unchecked }, { ok: 2, problem: 0, warning: 0, unchecked: 18 });
  assert.ok(ills(examined).every((line) => line.endsWith('(forbidden)') || line.includes('(forbidden)')));
});
