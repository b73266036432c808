import assert from 'node:assert/strict';
import { type ChangeStem, functions as table } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import type { aloneStems } from '../build/stems.ts';
import { filesOf, textOf } from '../house/files.ts';
import type { Arena } from './arena.ts';
import { postEvent, postRecorded } from './post.ts';
import { until } from './until.ts';

type Stems = readonly (typeof aloneStems)[number][];

/** The functions in groups that work at the same time, each in a namespace of its own: their work mostly waits for Pods and for the end of what is deleted. */
export function together(stems: Stems): readonly Stems[] {
  const atOnce = 3;
  return Array.from({ length: Math.ceil(stems.length / atOnce) }, (_, group) =>
    stems.slice(group * atOnce, (group + 1) * atOnce),
  );
}

/** Everything that a function can be made to do, by events of its own alone. */
export async function workOf(stem: (typeof aloneStems)[number], arena: Arena): Promise<void> {
  if (stem === 'resync-due') await resyncFromNothing(arena);
  else if (stem === 'frp-gate') await askAsServer(arena);
  else if (stem !== 'message-changed') await workOnServices(stem, arena);
  if (stem === 'message-changed' || stem === 'pod-changed') await workOnMessages(stem, arena);
}

/** Each question of an FRP server about a service that is not there, and about one of which the Claim is looked at too. */
async function askAsServer(arena: Arena): Promise<void> {
  const namespace = await arena.namespace('rbac');
  await askEach(arena, namespace, /no living service has this identity/);
  await arena.put(distributedService('web', { expose: { remotePort: 7001 } }, { namespace }));
  await askEach(arena, namespace, /"reject":true/);
}

async function askEach(arena: Arena, namespace: string, answered: RegExp): Promise<void> {
  for (const path of filesOf('test/fixtures/questions/frp-gate', '.json')) {
    const {
      headers,
      body,
      path: asked,
    } = JSON.parse(textOf(path)) as { headers: Record<string, string>; body: unknown; path: string };
    const url = new URL(asked, arena.functions.of('frp-gate').url);
    const asks = JSON.stringify(body).replaceAll('shop/', `${namespace}/`);
    const answer = await fetch(url, { method: 'POST', headers, body: asks });
    assert.match(await answer.text(), answered);
  }
}

/** The first resync makes the Lease that the others renew, and a scrape reads it; an orphan is reported. */
async function resyncFromNothing(arena: Arena): Promise<void> {
  const labels = { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': 'gone' };
  const metadata = { name: 'orphan', namespace: await arena.namespace('rbac'), labels };
  await arena.put({ apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None' } } as KubeObject);
  await arena.api('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${arena.home}/leases/knudge-resync`);
  const scrape = async () => (await fetch(`${arena.functions.of('resync-due').url}/metrics`)).text();
  assert.equal((await postRecorded(arena, 'resync-due', 'pingsource-through-broker')).status, 204);
  assert.match(await scrape(), /^knudge_seconds_since_resync\{\} \d+$/m);
}

/** An event of the function's own kind that concerns a service: by owner, by label or by being it. Without a version it is looked at. */
function nudgeOf(stem: ChangeStem, service: KubeObject): KubeObject {
  const [group = '', kind = ''] = table[stem].kind.split('/');
  const { resourceVersion: _, ...unversioned } = service.metadata;
  if (kind === 'DistributedService') return { ...service, metadata: unversioned };
  const versions: Readonly<Record<string, string>> = {
    '': 'v1',
    'frp.io': 'frp.io/v1beta1',
    apps: 'apps/v1',
    'discovery.k8s.io': 'discovery.k8s.io/v1',
  };
  const { apiVersion, metadata } = service;
  const owner = { apiVersion, kind: service.kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
  // A Claim that is gone is theirs who held it.
  const services = [{ name: metadata.name, uid: metadata.uid ?? '', locations: [] }];
  const claimed = { spec: { state: 'Held', namespace: metadata.namespace ?? '', services } };
  return {
    ...(kind === 'Claim' && claimed),
    apiVersion: versions[group] ?? group,
    kind,
    metadata: {
      name: `frp-${metadata.name}-identity`,
      namespace: metadata.namespace ?? '',
      labels: { 'frp.io/service': metadata.name },
      ownerReferences: [owner],
    },
  };
}

const some = { discovery: 'auto', port: 8080, replicas: 0 } as const;
const mtls = { mtls: { enabled: true, autoGenerate: true } };

/** Everything a function can be made to do with services, by its own events alone. */
async function workOnServices(stem: ChangeStem, arena: Arena): Promise<void> {
  const namespace = await arena.namespace('rbac');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const { url } = arena.functions.of(stem);
  const nudge = async (name: string): Promise<void> => {
    const service = await arena.service(namespace, name);
    if (service === undefined) return;
    await until(`${stem} is done with ${name}`, async () => {
      const { status, outcome, body } = await postEvent(url, nudgeOf(stem, service));
      assert.notEqual(status, 500, `${stem}: ${body} ${arena.functions.of(stem).log().slice(-800)}`);
      return outcome.endsWith('writes=0') || outcome;
    });
  };
  const have = async (name: string, spec: Partial<DistributedServiceSpec>): Promise<void> => {
    await arena.put(distributedService(name, { backends: some, ...spec }, { namespace }));
    await nudge(name);
  };
  for (const kind of ['Deployment', 'StatefulSet', 'ReplicaSet'] as const) {
    const labels = { app: kind.toLowerCase() };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
    const spec = { replicas: 0, selector: { matchLabels: labels }, serviceName: 'none', template };
    if (kind !== 'StatefulSet') Reflect.deleteProperty(spec, 'serviceName');
    await arena.put(object(`apps/v1 ${kind}`, `work-${labels.app}`, { metadata: { namespace }, spec }));
    const workloadRef = { apiVersion: 'apps/v1', kind, name: `work-${labels.app}` } as const;
    await have('scaled', { backends: { ...some, replicas: 1, workloadRef } });
  }
  await have('web', { security: mtls });
  await have('web', {
    backends: { ...some, discovery: 'selector', selector: { matchLabels: { app: 'x' } } },
    security: mtls,
  });
  await have('web', { expose: { remotePort: 7009 } });
  await withNewBackend(arena, namespace, () => nudge('web'));
  for (const kind of ['Service', 'ConfigMap', 'Secret']) {
    const name = kind === 'Secret' ? 'frp-web-identity' : kind === 'Service' ? 'frp-web-balanced' : 'frp-web-config';
    await arena.put({
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace, labels: { 'knudge.dev/owner-uid': 'mine' } },
    });
  }
  await nudge('web');
  for (const name of ['web', 'scaled']) {
    await arena.remove(distributedService(name, {}, { namespace }));
    await until(`${name} is gone`, async () => {
      await nudge(name);
      return (await arena.service(namespace, name)) === undefined;
    });
  }
  await byNameAlone(stem, namespace, arena);
}

/** The endpoints change while the tunnel has a Pod: that is told to look at them. */
async function withNewBackend(arena: Arena, namespace: string, nudge: () => Promise<void>): Promise<void> {
  await until('the tunnel has a Pod', async () => {
    const pods = await arena.list('v1', 'Pod', namespace);
    return pods.some(({ metadata }) => metadata.labels?.['frp.io/tunnel'] === 'web');
  });
  const spec = { ports: [{ port: 8080 }] };
  const labels = { 'frp.io/service': 'web' };
  await arena.put(object('Service', 'backend', { metadata: { namespace, labels }, spec }));
  // Without one behind it that is ready it is no backend.
  const slice = {
    metadata: { namespace, labels: { ...labels, 'kubernetes.io/service-name': 'backend' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'] }],
    ports: [],
  };
  await arena.put(object('discovery.k8s.io/v1 EndpointSlice', 'backend-1', slice));
  await nudge();
}

/** Events in reference mode, about what is there, and where a profile has to be looked up. */
async function byNameAlone(stem: ChangeStem, namespace: string, arena: Arena): Promise<void> {
  const service = distributedService('web', {}, { namespace });
  await postEvent(arena.functions.of(stem).url, nudgeOf(stem, service), { type: 'ref.update' });
  const profile = { ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } };
  if (stem === 'config-map-changed') await postEvent(arena.functions.of(stem).url, profile);
  if (stem === 'distributed-service-changed') await fetch(`${arena.functions.of(stem).url}/metrics`);
}

async function workOnMessages(stem: ChangeStem, arena: Arena): Promise<void> {
  const namespace = await arena.namespace('rbac');
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', name: 'hello', uid: 'u', controller: true };
  const event =
    stem === 'message-changed'
      ? message('hello', 'x', { namespace })
      : object('Pod', 'msg-hello', { metadata: { namespace, ownerReferences: [owner] } });
  for (const text of ['one', 'two']) {
    await arena.put(message('hello', text, { namespace }));
    await until(`${stem} is done with the Message`, async () => {
      const { status, outcome, body } = await postEvent(arena.functions.of(stem).url, event);
      assert.notEqual(status, 500, `${stem}: ${body}`);
      const found = await arena.message(namespace, 'hello');
      const processed =
        found?.status?.phase === 'Processed' && found.status.observedGeneration === found.metadata.generation;
      return (processed && outcome.endsWith('writes=0')) || outcome;
    });
  }
}
