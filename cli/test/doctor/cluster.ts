import type { TestContext } from 'node:test';
import { controller } from '../../../functions/table.ts';
import { patches } from '../../../packages/controller/cluster/call.ts';
import { createLook, type Look } from '../../../packages/controller/cluster/look.ts';
import { createTransport } from '../../../packages/controller/cluster/transport.ts';
import type { Finding } from '../../../packages/controller/doctor/finding.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { resyncLease } from '../../../packages/controller/domain/names.ts';
import { guessedPlural } from '../../../packages/controller/domain/plural.ts';
import { rightsOf } from '../../../packages/controller/domain/rights.ts';
import { timeOf } from '../../../packages/controller/domain/time.ts';
import { createApi } from '../../../packages/kube-api/api.ts';
import { serveApi } from '../../../packages/kube-api/http/server.ts';
import { createCredentials } from '../../../packages/mesh/cluster/credentials.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../../test/house/files.ts';
import { objectsIn } from '../../../test/kube/install.ts';
import { type Case, type Examined, examine } from '../../doctor/examine.ts';
import { harmless } from './advice.ts';
import { adapterDeployment, adapterOf, channel, deployments, namespaces } from './knatives.ts';

export const { objects: manifests, fileOf } = readManifests({ root });

/** The embedded API with everything that a cluster with Knudge has, as its controllers would leave it. */
export async function openCluster(context: TestContext) {
  // The embedded API dates the conditions of a CRD by the machine's clock, however slow the machine is.
  const clock = { seconds: Math.floor(Date.now() / 1000) };
  const api = createApi({ now: () => clock.seconds * 1000, schedule: setImmediate, after: () => () => {} });
  const credentials = await createCredentials();
  const server = await serveApi(api, { port: 0, ...credentials });
  const transport = createTransport({
    access: { server: server.url, credentials: async () => ({ authorization: `Bearer ${credentials.token}` }) },
    version: '1',
    timeoutMs: 60_000,
  });
  context.after(async () => {
    transport.close();
    await server.close();
    api.close();
  });
  const call = (
    method: 'PATCH' | 'DELETE',
    { apiVersion, kind, metadata }: KubeObject,
    more: { body?: object; status?: true } = {},
  ) => {
    const home = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    const path = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}${home}/${guessedPlural(kind)}/${metadata.name}`;
    return transport({
      method,
      verb: method,
      resource: guessedPlural(kind),
      target: metadata.name,
      path: more.status ? `${path}/status` : path,
      ...(method === 'PATCH' && { query: more.status ? {} : { fieldManager: 'test', force: 'true' } }),
      contentType: more.status ? patches.merge : patches.apply,
      ...(more.body !== undefined && { body: more.body }),
    });
  };
  const put = (object: KubeObject) => call('PATCH', object, { body: object });
  const real = createLook(transport);
  // As on a cluster without admission policies: policies.test.ts is about them.
  const serves: Look['serves'] = async (api) => !api.startsWith('admissionregistration.') && real.serves(api);
  const look = { ...real, serves, ask: authorizer(real) };
  return {
    clock,
    put,
    look,
    remove: (object: KubeObject) => call('DELETE', object),
    tell: (object: KubeObject, status: object) => call('PATCH', object, { body: { status }, status: true }),
    /** What the doctor says, with the network of the machine left out. No advice of it may apply an image. */
    examine: async (more: Partial<Case> = {}): Promise<Examined> => {
      const examined = await examine({
        resources: controller.resources,
        checks: controller.checks,
        home: controller.name,
        look,
        manifests,
        base: manifests,
        fileOf,
        namespace: 'knudge',
        now: clock.seconds,
        reach: async () => undefined,
        countDeadLetters: async () => 0,
        askLog: async () => ({ trouble: undefined, gaps: [] }),
        ...more,
      });
      for (const { todo = '' } of examined.findings) harmless(todo);
      return examined;
    },
  };
}

export type Opened = Awaited<ReturnType<typeof openCluster>>;

/** Installs Knudge and all that Knative would make and say; half an hour passes. */
export async function installAll(cluster: Opened, installed = manifests): Promise<void> {
  const { put, clock } = cluster;
  const objects = installed.filter(({ kind }) => !unknown.includes(kind));
  for (const object of [...objects, profile, ...knatives]) await put(object);
  clock.seconds += 1800;
  await settle(cluster, objects);
  await put(lease(clock.seconds - 200));
}

/** What Knative's controllers and Kubernetes' do where all is well, and its own controller runs. */
export async function settle({ put, tell, clock, look }: Opened, objects: readonly KubeObject[]): Promise<void> {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  const knative = objects.filter(
    ({ kind, apiVersion }) => /knative\.dev\//.test(apiVersion) && !unknown.includes(kind),
  );
  for (const object of knative) await tell(object, ready);
  for (const { kind, metadata } of knative) {
    if (kind !== 'ApiServerSource') continue;
    await put(adapterDeployment(metadata.name));
    await put(adapterOf(metadata.name));
    await tell(adapterOf(metadata.name), { ...ready, startTime: timeOf(clock.seconds - 60) });
  }
  for (const one of deployments) {
    const found = await look.get({ ...one, plural: 'deployments' }, one.metadata as { name: string });
    if (found === undefined) await put(one);
    await tell(one, { availableReplicas: 1 });
  }
}

/** To the embedded API; the doctor looks at none of them. */
const unknown = ['PersistentVolumeClaim', 'NetworkPolicy', 'PodMonitor', 'PrometheusRule', 'EventPolicy'];

/** Of a resync at a time, in seconds since 1970. */
export const lease = (seconds: number): KubeObject & { spec: object } => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'knudge', name: resyncLease },
  spec: { renewTime: timeOf(seconds).replace('Z', '.000000Z') },
});

const [shown] = objectsIn('examples/server-profile.yaml');
const profile = { ...shown, metadata: { ...shown?.metadata, namespace: 'default' } } as KubeObject;

const knatives = [...namespaces, channel('KafkaChannel')];

/** The embedded API asks nobody for permission: this answers by the roles in it, as the real one does. */
function authorizer(look: Look): Look['ask'] {
  const of = (kind: string) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, plural: `${kind.toLowerCase()}s` });
  return async (_what, question) => {
    const { user, resourceAttributes: asked } = (question as { spec: { user: string; resourceAttributes: Asked } })
      .spec;
    const [, , namespace = '', name = ''] = user.split(':');
    const objects = (
      await Promise.all(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => look.list(of(kind))))
    ).flat();
    const rights = rightsOf({ namespace, name }, objects);
    return {
      status: {
        allowed: rights.some(
          (one) =>
            one.verb === asked.verb &&
            one.group === asked.group &&
            one.resource === asked.resource &&
            ['', asked.namespace].includes(one.namespace),
        ),
      },
    };
  };
}

interface Asked {
  /** If absent, in all. */
  readonly namespace?: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** `problem triggers: …` of each finding that is not well. */
export function ills({ findings }: { readonly findings: readonly Finding[] }): readonly string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ level, check, what }) => `${level} ${check}: ${what}`);
}
