import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { openArena } from './arena.ts';

export const mtls = { mtls: { enabled: true, autoGenerate: true } };

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Opens and closes an arena around the tests of a file; what is set up first is there when they begin. */
export function useServices(setUp: (services: Services) => Promise<void> = async () => {}): () => Services {
  let services: Services;
  before(async () => {
    services = await openServices();
    await setUp(services);
  });
  after(async () => {
    await services.arena.close();
    assert.deepEqual(services.arena.source?.failures, []);
  });
  return () => services;
}

/** Makes the service `web` run, with one backend. */
export async function runWeb({ arena, build, namespace, pod }: Services): Promise<void> {
  await arena.put(pod('web-1', { 'frp.io/service': 'web' }));
  await arena.put(build('web'));
  await arena.running(namespace, 'web');
}

/** An arena with a namespace of its own for services, and a server profile in it. */
async function openServices() {
  const arena = await openArena();
  const namespace = await arena.namespace('services');
  const profile = (name: string, data: Readonly<Record<string, string>> = {}): KubeObject => {
    const built = serverProfile(name, data);
    return { ...built, metadata: { ...built.metadata, namespace } };
  };
  await arena.put(profile('default'));
  const child = (kind: string, name: string, apiVersion = 'v1') => arena.get(apiVersion, kind, { namespace, name });
  return {
    arena,
    namespace,
    profile,
    child,
    build: (name: string, spec: Partial<DistributedServiceSpec> = {}): KubeObject =>
      distributedService(name, spec, { namespace }),
    pod: (name: string, labels: Record<string, string>): KubeObject => {
      const container = { name: 'app', image: 'app:1', ports: [{ name: 'http', containerPort: 8080 }] };
      return object('Pod', name, {
        metadata: { namespace, labels },
        spec: { terminationGracePeriodSeconds: 0, containers: [container] },
      });
    },
    tunnelOf: (name: string) => child('Deployment', `frp-${name}`, 'apps/v1'),
    endpointsOf: async (name: string): Promise<string> => {
      const configMap = (await child('ConfigMap', `frp-${name}-endpoints`)) as
        | { data?: Record<string, string> }
        | undefined;
      return configMap?.data?.['eds.json'] ?? '';
    },
    addressOf: async (name: string): Promise<string> => {
      const pod = (await child('Pod', name)) as { status?: { podIP?: string } } | undefined;
      return pod?.status?.podIP ?? 'none yet';
    },
    reasonOf: async (name: string, type: string): Promise<string | undefined> => {
      const found = await arena.service(namespace, name);
      return found?.status?.conditions?.find((condition) => condition.type === type)?.reason;
    },
  };
}
