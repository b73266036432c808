import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { fullest } from './fullest.ts';
import { readCrd } from './read.ts';

type Spec = DistributedService['spec'];
type Fields<Name extends 'backends' | 'expose'> = NonNullable<Spec[Name]>;

const specOf = (plural: string): unknown =>
  fullest(readCrd(plural).spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {});
const full = specOf('distributedservices') as Spec & { readonly backends: Fields<'backends'> };
const { selector = {}, endpoints = [], workloadRef, ...found } = full.backends;
const { remotePort = 1, ...byName } = full.expose ?? {};
const { matchLabels = {}, matchExpressions = [] } = selector;

const home = 'n'.repeat(63);
const interval = { interval: '300000ms', timeout: '60000ms' };
const check = { ...full.loadBalancing.healthCheck, type: 'http', ...interval } as const;
const rest = {
  ...full,
  loadBalancing: { algorithm: 'least-conn', healthCheck: check },
  security: { mtls: { enabled: true, autoGenerate: false, secretName: 's'.repeat(253) } },
} as const;
const http = { ...rest, serviceType: 'http', expose: byName } as const;
const tcp = {
  ...rest,
  serviceType: 'tcp',
  expose: { remotePort },
  loadBalancing: {
    algorithm: 'least-conn',
    healthCheck: { ...interval, type: 'tcp', failureThreshold: 10, successThreshold: 10 },
  },
} as const;
const within = { ...found, discovery: 'selector', workloadRef: { ...workloadRef, kind: 'Deployment' } } as const;
const expressions = matchExpressions.map((one) => ({ ...one, operator: 'In' as const }));
const first = expressions.slice(0, 1);

const services: Readonly<Record<string, object>> = {
  'that selects by labels and conditions': {
    ...http,
    backends: { ...within, selector: { matchLabels, matchExpressions: expressions } },
  },
  'that selects by labels alone': { ...http, backends: { ...within, selector: { matchLabels } } },
  'that selects by one condition': {
    ...tcp,
    backends: { ...within, selector: { matchExpressions: first.map((one) => ({ ...one, key: 'app' })) } },
  },
  'with the backends of a workload': { ...tcp, backends: { ...within, discovery: 'auto' } },
  'with Services as backends': { ...http, backends: { ...found, discovery: 'manual', endpoints } },
  'with addresses as backends': {
    ...tcp,
    backends: {
      ...found,
      discovery: 'manual',
      endpoints: endpoints.map((one, at) => ({ ...one, host: `fd00:1111:2222:3333:4444:5555:6666:1${hex(at)}` })),
    },
  },
};

describe('the API server takes the status that Knudge writes for the largest spec of', () => {
  for (const [name, spec] of Object.entries(services))
    it(`a service ${name}`, async () => {
      const owner = distributedService('s'.repeat(63), spec as Spec, { namespace: home });
      await assertStatus(owner, [profile(), ...(name.endsWith('of a workload') ? [workload()] : [])]);
    });

  it('a Message', async () => {
    const { text } = specOf('messages') as { readonly text: string };
    await assertStatus(message('m'.repeat(253), text, { namespace: home }), []);
  });
});

/** That the API server takes the spec shows that it is no larger than the definition lets it be. */
async function assertStatus(owner: KubeObject, world: readonly KubeObject[]): Promise<void> {
  const cluster = memoryCluster();
  for (const one of [...world, owner]) cluster.put(one);
  await reconcileOn(cluster, refOf(owner));
  const { status } = ((await cluster.get(refOf(owner))) ?? assert.fail()) as KubeObject & {
    readonly status?: { readonly conditions?: readonly object[] };
  };
  assert.ok(status?.conditions !== undefined, JSON.stringify(cluster.calls.map(({ verb }) => verb)));
}

function profile(): KubeObject {
  const made = serverProfile(full.serverProfile, { address: `${'a.'.repeat(126)}a`, vhostHTTPPort: '65535' });
  return { ...made, metadata: { ...made.metadata, namespace: home, name: 'p'.repeat(253) } };
}

/** Kubernetes bounds the labels of a Deployment by nothing but the size of the object. */
function workload(): KubeObject {
  const spec = { replicas: 1, selector: { matchLabels }, template: { metadata: { labels: matchLabels }, spec: pod } };
  return object('Deployment', workloadRef?.name ?? '', { apiVersion: 'apps/v1', metadata: { namespace: home }, spec });
}

const pod = { containers: [{ name: 'app', image: 'app' }] };

function hex(at: number): string {
  return at.toString(16).padStart(3, '0');
}
