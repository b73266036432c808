import fc from 'fast-check';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { type MemoryCall, memoryCluster } from '../build/memory-cluster.ts';
import { backendPod, distributedService, forUse, message, object, serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';

export const namespace = 'shop';
export const controllerNamespace = 'knudge';

/** What must be in nothing but a Secret that nobody of ours reads. */
export const serversToken = 'canary-token-of-the-server';

const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);
const port = fc.integer({ min: 1, max: 65_535 });
const check = { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 } as const;
const host = fc.oneof(fc.ipV4(), fc.constantFrom('backend', 'kubernetes', 'fe80::1', '::ffff:127.0.0.1', '10.0.0.9'));

const backends = fc.oneof(
  fc.record({ discovery: fc.constant('auto' as const), port, replicas: fc.constant(1) }),
  fc.record({
    discovery: fc.constant('selector' as const),
    selector: fc.record({ matchLabels: fc.dictionary(label, label, { minKeys: 1, maxKeys: 3 }) }),
    port,
    replicas: fc.constant(1),
  }),
  fc.record({
    discovery: fc.constant('manual' as const),
    endpoints: fc.array(fc.record({ host, port, weight: fc.constant(1) }), { minLength: 1, maxLength: 4 }),
    port,
    replicas: fc.constant(1),
  }),
);

const spec: fc.Arbitrary<Partial<DistributedServiceSpec>> = fc.oneof(
  fc.record({ serviceType: fc.constant('tcp' as const), expose: fc.record({ remotePort: port }), backends }),
  fc.record({
    serviceType: fc.constant('http' as const),
    expose: fc.record({
      subdomain: label,
      domains: fc.array(
        label.map((one) => `${one}.example.com`),
        { maxLength: 3 },
      ),
    }),
    backends,
  }),
);

/** A service with its server, also one that its definition refuses by now: it may have been stored before. */
export const scene = fc.record({
  name,
  spec,
  text: fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  mtls: fc.boolean(),
  isChecked: fc.boolean(),
  login: fc.constantFrom('gate', 'token'),
  /** Whose profile it is. */
  home: fc.constantFrom(namespace, controllerNamespace),
});

export type Scene = typeof scene extends fc.Arbitrary<infer One> ? One : never;

/** All that is asked and written for a service and a Message, from their creation until they are gone. */
export async function callsFor({ name, spec, text, mtls, isChecked, login, home }: Scene) {
  const cluster = memoryCluster({ schemas: 'none' });
  const profile = serverProfile('default', login === 'token' ? { gate: 'false', tokenSecret: 'frps-token' } : {});
  const service = distributedService(name, {
    ...spec,
    loadBalancing: { algorithm: 'round-robin', ...(isChecked && { healthCheck: check }) },
    security: { mtls: { enabled: mtls, autoGenerate: true } },
  });
  const owners = [cluster.put(service), cluster.put(message('hello', text))];
  cluster.put({ ...profile, metadata: { ...profile.metadata, namespace: home } });
  cluster.put(backendPod('backend-1', '10.0.0.1', name));
  const token = object('Secret', 'frps-token', { metadata: { namespace: home }, data: { token: btoa(serversToken) } });
  cluster.put(forUse(token));
  for (const owner of [...owners, ...owners]) await reconcileOn(cluster, refOf(owner));
  const known: readonly KubeObject[] = cluster.objects();
  for (const owner of owners) cluster.remove(refOf(owner));
  for (let turn = 0; turn < 3; turn += 1) for (const owner of owners) await reconcileOn(cluster, refOf(owner));
  return { calls: cluster.calls as readonly MemoryCall[], owners, known };
}
