import { distributedService, message } from '../../build/objects.ts';
import { readCrd, readExamples } from '../../crds/read.ts';
import type { Base, Fields } from './malformed-resource.ts';

export const crds = { DistributedService: readCrd('distributedservices'), Message: readCrd('messages') } as const;

/** A status as a controller would write it, with every field that there is. */
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Running',
  message: 'It runs',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-02T03:04:05Z',
};

export const statuses: Readonly<Record<Base['kind'], Fields>> = {
  DistributedService: {
    state: 'Running',
    observedGeneration: 1,
    conditions: [condition],
    endpoints: [{ address: '10.0.0.1', port: 80, weight: 1, ready: true }],
    activeEndpoints: 1,
    selector: 'app=web',
    serverProfile: 'shop/default',
    address: 'web.example.com',
    lastReconciled: '2026-01-02T03:04:05Z',
  },
  Message: { phase: 'Processed', observedGeneration: 1, podName: 'msg-hello', conditions: [condition] },
};

function readBases(): readonly Base[] {
  const examples = readExamples().flatMap(({ object }) => (isKind(object.kind) ? [object] : []));
  const full = distributedService('full', {
    serviceType: 'http',
    backends: { discovery: 'manual', port: 80, replicas: 1, endpoints: [{ host: '10.1.2.3', port: 81, weight: 2 }] },
    loadBalancing: {
      algorithm: 'least-conn',
      healthCheck: {
        type: 'http',
        path: '/',
        port: 81,
        interval: '5s',
        timeout: '1s',
        failureThreshold: 3,
        successThreshold: 1,
      },
    },
    security: { mtls: { enabled: false, autoGenerate: true } },
    expose: { domains: ['full.example.com'], subdomain: 'full', locations: ['/'] },
  });
  const objects = [...examples, full, message('plain')] as unknown as readonly (Base['object'] & {
    readonly kind: Base['kind'];
  })[];
  return objects.flatMap((object) => {
    const { group, versions } = crds[object.kind].spec;
    return versions
      .filter(({ served }) => served)
      .map(({ name: version }) => ({
        name: `${object.kind} ${version} ${object.metadata.name}`,
        kind: object.kind,
        object: {
          ...withServerOf(version, withoutWish(object)),
          apiVersion: `${group}/${version}`,
          metadata: { name: object.metadata.name },
        },
      }));
  });
}

/** The server profiles of the bases: a service in two versions is two services, which would want the same of one server, and scale one workload. */
export const servers = ['default', 'second'] as const;

function withServerOf(version: string, object: Base['object']): Base['object'] {
  if (object.kind !== 'DistributedService' || version !== 'v1') return object;
  const spec = object['spec'] as Fields & { readonly backends: Fields };
  const { workloadRef } = spec.backends as { readonly workloadRef?: Fields };
  const backends = workloadRef ? { ...spec.backends, workloadRef: { ...workloadRef, name: 'second' } } : spec.backends;
  return { ...object, spec: { ...spec, backends, serverProfile: servers[1] } };
}

function isKind(kind: string): kind is Base['kind'] {
  return kind in crds;
}

function withoutWish(object: Base['object']): Base['object'] {
  const copy = structuredClone(object) as {
    spec: { backends?: { discovery?: string; replicas?: number } };
  } & Base['object'];
  if (copy.spec.backends !== undefined && copy.spec.backends.discovery !== 'manual') copy.spec.backends.replicas = 0;
  return copy;
}

/**
 * Good objects of every served version: the examples, and one of each kind with all that the examples leave to defaults.
 * Their backends need not be there, so that nothing but a fault keeps a service from running.
 */
export const bases: readonly Base[] = readBases();
