import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { message, useAdmission } from './admission.ts';
import { pathOf } from './install.ts';
import { kubectl } from './kubectl.ts';
import { mtls } from './services.ts';
import { until } from './until.ts';

const given = useAdmission();

interface Told extends KubeObject {
  readonly spec?: { readonly nodeName?: string; readonly replicas?: number };
  readonly status?: {
    readonly podIP?: string;
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
  };
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

async function tunnel(): Promise<Told> {
  return ((await given().tunnelOf('web')) as Told | undefined) ?? assert.fail('there is no tunnel');
}

test('a tunnel is rolled out anew: its ReplicaSets, Pods, endpoints and status are made by the controllers', {
  timeout: 120_000,
}, async () => {
  const { arena, namespace, build } = given();
  const sets = async () =>
    ((await arena.list('apps/v1', 'ReplicaSet', namespace)) as readonly Told[]).filter(({ metadata }) =>
      metadata.name.startsWith('frp-web-'),
    );
  const { generation = 0 } = (await tunnel()).metadata;
  assert.equal((await sets()).length, 1);
  await arena.put(build('web', { security: mtls }));
  await until(
    'the tunnel is another',
    async () => {
      const { metadata, status } = await tunnel();
      const isRolled =
        status?.observedGeneration === metadata.generation &&
        status?.updatedReplicas === 1 &&
        status.replicas === 1 &&
        status.availableReplicas === 1;
      return ((metadata.generation ?? 0) > generation && isRolled) || { generation, metadata, status };
    },
    60,
  );
  assert.deepEqual((await sets()).map(({ spec }) => spec?.replicas).toSorted(), [0, 1]);
  await arena.running(namespace, 'web');
  await until('the balanced Service leads to the new Pod', async () => {
    const pods = ((await arena.list('v1', 'Pod', namespace)) as readonly Told[]).filter(({ metadata }) =>
      metadata.name.startsWith('frp-web-'),
    );
    const slices = (await arena.list('discovery.k8s.io/v1', 'EndpointSlice', namespace)) as readonly Told[];
    const found = slices.filter(
      ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'frp-web-balanced',
    );
    const ready = found
      .flatMap(({ endpoints = [] }) => endpoints)
      .filter(({ conditions }) => conditions?.ready === true);
    const addresses = ready.flatMap((endpoint) => endpoint.addresses);
    const wanted = pods.map(({ status }) => status?.podIP);
    return (wanted.length === 1 && JSON.stringify(addresses) === JSON.stringify(wanted)) || { addresses, wanted };
  });
});

test('a node is drained of them, and they come back elsewhere', { timeout: 180_000 }, async () => {
  const { arena, namespace } = given();
  const path = pathOf('v1', 'Pod', { namespace, name: 'msg-hello' });
  const { metadata, spec } = (await arena.api('GET', path)).body as Told;
  const node = spec?.nodeName ?? assert.fail('the Pod is on no node');
  try {
    const ours = '--pod-selector=app.kubernetes.io/managed-by=knudge,knudge.dev/owner-uid';
    const { stdout } = await kubectl('drain', node, '--force', '--timeout=60s', ours);
    assert.match(stdout, /pod\/msg-hello evicted/);
  } finally {
    await kubectl('uncordon', node);
  }
  await until('there is another Pod', async () => {
    const pod = await arena.get('v1', 'Pod', { namespace, name: 'msg-hello' });
    return (pod !== undefined && pod.metadata.uid !== metadata.uid) || pod?.metadata;
  });
  await arena.processed(namespace, 'hello');
  await arena.running(namespace, 'web');
});

test('parents are scaled as ever, and a child that is scaled is scaled back', async () => {
  const { arena, namespace } = given();
  const app = { app: 'workload' };
  const workload = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'workload', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: app },
      template: { metadata: { labels: app }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
    },
  };
  await arena.put(workload);
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'workload' } as const;
  await arena.put(
    given().build('scaled', {
      backends: { discovery: 'selector', port: 8080, replicas: 1, selector: { matchLabels: app }, workloadRef },
      expose: { remotePort: 15_433 },
    }),
  );
  await kubectl('--namespace', namespace, 'scale', 'distributedservice', 'scaled', '--replicas=3');
  await until('the workload follows', async () => {
    const { spec } = (await arena.get('apps/v1', 'Deployment', { namespace, name: 'workload' })) as Told;
    return spec?.replicas === 3 || spec?.replicas;
  });
  await kubectl('--namespace', namespace, 'scale', 'deployment', 'frp-web', '--replicas=2');
  await until('the tunnel is one Pod again', async () => (await tunnel()).spec?.replicas === 1);
});

test('a namespace goes with all that is in it', { timeout: 180_000 }, async () => {
  const { arena } = given();
  const namespace = await arena.namespace('leaving');
  const profile = given().profile('default');
  await arena.put({ ...profile, metadata: { ...profile.metadata, namespace } });
  const service = given().build('web', { expose: { remotePort: 15_434 } });
  await arena.put({ ...service, metadata: { ...service.metadata, namespace } });
  await arena.put(message(namespace));
  await arena.processed(namespace, 'hello');
  await until(
    'the tunnel is there',
    async () => (await arena.get('apps/v1', 'Deployment', { namespace, name: 'frp-web' })) !== undefined,
  );
  await arena.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await until(
    'the namespace is gone',
    async () => {
      const found = await arena.get('v1', 'Namespace', { name: namespace });
      return found === undefined || JSON.stringify((found as { status?: unknown }).status);
    },
    120,
  );
});
