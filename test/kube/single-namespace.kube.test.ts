import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { requestedType, resyncTypes } from '../../packages/controller/domain/change.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { resyncLease } from '../../packages/controller/domain/names.ts';
import type { Hop } from '../../packages/mesh/hop.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { audited, isForbidden } from './audit.ts';
import { installRights, singleNamespace } from './single-namespace.ts';
import { startMeshOf } from './single-namespace-mesh.ts';
import { until } from './until.ts';

/** Of Knudge and of all that it manages; another namespace than the one that the manifests name. */
const home = `one-${randomUUID().slice(0, 8)}`;
let foreign: string;
let since: string;
let accounts: readonly string[];
/** For what it can do with the API server: it runs no functions. */
let arena: Arena;
let mesh: Awaited<ReturnType<typeof startMeshOf>>;

const userOf = (account: string): string => `system:serviceaccount:${home}:${account}`;

const at = <Kind extends KubeObject>(namespace: string, one: Kind): Kind => ({
  ...one,
  metadata: { ...one.metadata, namespace },
});
const backend = (namespace: string): KubeObject => {
  const securityContext = {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    runAsUser: 1,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const container = { name: 'app', image: 'app:1', ports: [{ name: 'http', containerPort: 8080 }], securityContext };
  return object('Pod', 'web-1', {
    metadata: { namespace, labels: { 'frp.io/service': 'web' } },
    spec: { terminationGracePeriodSeconds: 0, containers: [container] },
  });
};
const web = (namespace: string, spec = {}) =>
  distributedService('web', { security: { mtls: { enabled: true, autoGenerate: true } }, ...spec }, { namespace });

before(async () => {
  since = new Date().toISOString();
  const objects = await singleNamespace(home);
  accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
  arena = await openArena({ withSource: false, stems: [], home });
  await installRights(arena.api, objects);
  foreign = await arena.namespace('foreign');
  // All of it is there before: no event reports it, so it is for the resync to find, or to leave alone.
  for (const namespace of [home, foreign]) {
    await arena.put(at(namespace, serverProfile()));
    await arena.put(message('early', 'hi', { namespace }));
  }
  mesh = await startMeshOf({ kubeconfig: arena.kubeconfig, objects, namespace: home });
});
after(async () => {
  await mesh.close();
  await arena.close();
});

test('a Message is processed, changed and deleted', { timeout: 120_000 }, async () => {
  await arena.put(message('hello', 'one', { namespace: home }));
  await arena.processed(home, 'hello');
  await arena.put(message('hello', 'two', { namespace: home }));
  await arena.processed(home, 'hello');
  const pod = await arena.get('v1', 'Pod', { namespace: home, name: 'msg-hello' });
  assert.match(JSON.stringify(pod), /"two"/);
  await arena.remove(message('hello', 'two', { namespace: home }));
  await until(
    'its Pod is gone',
    async () => (await arena.get('v1', 'Pod', { namespace: home, name: 'msg-hello' })) === undefined,
    // The garbage collector looks for new kinds every half a minute.
    90,
  );
});

/** The children of `web`: what of them is there. */
async function children(): Promise<readonly string[]> {
  const found = await Promise.all(
    ['v1 Secret', 'v1 ConfigMap', 'v1 Service', 'apps/v1 Deployment'].map(async (type) => {
      const [apiVersion = '', kind = ''] = type.split(' ');
      const list = await arena.list(apiVersion, kind, home);
      return list
        .filter(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === 'web'))
        .map(({ metadata }) => `${kind} ${metadata.name}`);
    }),
  );
  return found.flat().sort();
}

test('a DistributedService gets all its children, follows a change, and leaves nothing behind', {
  timeout: 240_000,
}, async () => {
  await arena.put(backend(home));
  await arena.put(web(home));
  await until(
    'web runs',
    async () => {
      const { state } = (await arena.service(home, 'web'))?.status ?? {};
      return state === 'Running' || mesh.hops.map(lineOf).slice(-5);
    },
    90,
  );
  const made = await children();
  assert.deepEqual(made, [
    'ConfigMap frp-web-config',
    'ConfigMap frp-web-endpoints',
    'Deployment frp-web',
    'Secret frp-web-identity',
    'Secret frp-web-tls',
    'Service frp-web-balanced',
  ]);
  await arena.put(web(home, { expose: { remotePort: 7009 } }));
  await until('the change is told of', async () => {
    const { status, metadata } = (await arena.service(home, 'web')) ?? {};
    return status?.observedGeneration === metadata?.generation && status?.state === 'Running';
  });
  await arena.remove(web(home));
  await until(
    'the finalizer is gone, and the service with it',
    async () => (await arena.service(home, 'web')) === undefined,
    90,
  );
  assert.deepEqual(await children(), []);
});

/** The objects of a namespace that Knudge has recorded Events about. */
async function toldOf(namespace: string): Promise<readonly string[]> {
  const { body } = await arena.api('GET', `/apis/events.k8s.io/v1/namespaces/${namespace}/events`);
  const { items } = body as { items: { reportingController: string; regarding: { name: string } }[] };
  return items.filter((one) => /knudge/.test(one.reportingController)).map(({ regarding }) => regarding.name);
}

/** A hop without what its event holds. */
const lineOf = (hop: Hop): string => JSON.stringify('event' in hop ? { ...hop, event: hop.event.attributes } : hop);

test('a resync asks after each parent of the namespace and no other, keeps its Lease and tells of an orphan', async () => {
  const labels = { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': 'gone' };
  const orphan = (namespace: string) =>
    object('Service', 'orphan', { metadata: { namespace, labels }, spec: { clusterIP: 'None' } });
  for (const namespace of [home, foreign]) await arena.put(orphan(namespace));
  const attributes = { specversion: '1.0', id: randomUUID(), type: resyncTypes.due, source: '/test' };
  await mesh.send({ attributes, data: Buffer.alloc(0) });
  await arena.processed(home, 'early');
  const asked = mesh.hops.flatMap((hop) =>
    hop.kind === 'delivered' && hop.event.attributes['type'] === requestedType
      ? [`${hop.trigger} ${hop.event.attributes['namespace']}/${hop.event.attributes['name']}`]
      : [],
  );
  assert.ok(
    asked.some((line) => line.endsWith(`message-changed ${home}/early`)),
    asked.join('\n'),
  );
  assert.deepEqual(
    asked.filter((line) => !line.includes(` ${home}/`)),
    [],
  );
  const lease = await arena.api('GET', `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${resyncLease}`);
  assert.equal(lease.status, 200);
  await until('the orphan is told of', async () => (await toldOf(home)).includes('orphan'));
  assert.deepEqual(await toldOf(foreign), []);
});

test('what is in another namespace stays as it is', async () => {
  await arena.put(backend(foreign));
  await arena.put(web(foreign));
  await arena.put(message('early', 'changed', { namespace: foreign }));
  // A resync that looked at the others would have seen these by the time that one of ours, which is younger, is done.
  await arena.put(message('after', 'hi', { namespace: home }));
  await arena.processed(home, 'after');
  assert.equal((await arena.message(foreign, 'early'))?.status, undefined);
  const service = await arena.service(foreign, 'web');
  assert.deepEqual([service?.status, service?.metadata.finalizers], [undefined, undefined]);
  assert.deepEqual(await arena.list('apps/v1', 'Deployment', foreign), []);
  assert.deepEqual(
    mesh.hops.map(lineOf).filter((line) => line.includes(foreign)),
    [],
  );
});

test('nothing was refused that an account of the overlay asked for, and no event was lost', () => {
  const calls = accounts.flatMap((name) => audited(userOf(name), since));
  assert.ok(calls.length > 100, String(calls.length));
  assert.deepEqual(calls.filter(isForbidden), []);
  const bad: readonly string[] = ['dead-lettered', 'dropped', 'lost', 'blind', 'crashed'];
  // The log has 100 ms for an event, which a busy machine does not always keep; none of its rights is asked for there.
  const ofLog = ({ kind, ...hop }: Hop): boolean =>
    kind === 'dead-lettered' && 'trigger' in hop && hop.trigger.endsWith('/event-recorded');
  assert.deepEqual(mesh.hops.filter((hop) => bad.includes(hop.kind) && !ofLog(hop)).map(lineOf), []);
});
