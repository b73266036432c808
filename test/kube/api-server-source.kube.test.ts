import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { CloudEvent } from '../../packages/mesh/cloud-event.ts';
import type { Hop } from '../../packages/mesh/hop.ts';
import type { SourceSpec } from '../../packages/mesh/mesh-spec.ts';
import { startApiServerSource } from '../../packages/mesh/sources/api-server-source.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { pathOf, put } from './install.ts';
import { startProxy } from './proxy.ts';
import { until } from './until.ts';
import '../../resources/managed/kinds.ts';

type Api = ReturnType<typeof apiFrom>;

let api: Api;
const namespace = `source-${randomBytes(4).toString('hex')}`;
const home: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };

before(async () => {
  api = apiFrom(testKubeconfig());
  await put(api, home);
});
after(async () => void (await api('DELETE', pathOf('v1', 'Namespace', { name: namespace }))));

const maps = { apiVersion: 'v1', kind: 'ConfigMap', selector: 'watched' };

/** A source on the real API server that is watching, and what it has sent of the namespace of these tests. */
async function started(t: TestContext, change: Partial<SourceSpec> = {}, server?: string) {
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const [events, hops]: [CloudEvent[], Hop[]] = [[], []];
  const source = await startApiServerSource(
    {
      namespace,
      name: 'objects',
      mode: 'Resource',
      resources: [maps],
      namespaces: { kind: 'own' },
      sink: { kind: 'uri', uri: '' },
      overrides: {},
      ...change,
    },
    {
      access: server === undefined ? access : { ...access, server },
      version: '1',
      send: async (event) => {
        events.push(event);
        return { status: 202 };
      },
      report: (hop) => hops.push(hop),
      pace: { roundMs: 2000, graceMs: 1000, firstBackoffMs: 50, longestBackoffMs: 500 },
    },
  );
  t.after(() => source.close());
  const told = (): readonly string[] =>
    events.map(({ attributes: { type = '', name } }) => `${type.split('.').slice(-2).join('.')} ${name}`);
  const has = (count: number) => until(`${count} events came`, async () => events.length >= count || told());
  return { events, hops, told, has, close: source.close };
}

/** A ConfigMap that the sources see, unless its labels say otherwise. */
function map(name: string, data: Readonly<Record<string, string>>, labels: object = { watched: 'yes' }) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data } as KubeObject;
}

async function remove(kind: string, name: string): Promise<void> {
  await api('DELETE', pathOf('v1', kind, { namespace, name }));
}

function bodyOf(event: CloudEvent | undefined): KubeObject & { readonly data?: unknown } {
  return JSON.parse(String(event?.data)) as KubeObject;
}

test('what exists already is no event; add, update and delete are, each with the object as it was then', async (t) => {
  await put(api, map('old', {}));
  const { events, told, has } = await started(t);
  const made = await put(api, map('a', { n: '1' }));
  const changed = await put(api, map('a', { n: '2' }));
  await put(api, map('a', { n: '2' }));
  await remove('ConfigMap', 'a');
  await has(3);
  assert.deepEqual(told(), ['resource.add a', 'resource.update a', 'resource.delete a'], 'a change of nothing is none');
  assert.deepEqual(bodyOf(events[0]), made);
  assert.deepEqual(bodyOf(events[1]), changed);
  const last = bodyOf(events[2]);
  assert.deepEqual(last.data, { n: '2' });
  assert.ok(Number(last.metadata.resourceVersion) > Number(changed.metadata.resourceVersion), 'of the deletion');
  assert.equal(last.metadata.deletionTimestamp, undefined);
  assert.equal(events[0]?.attributes['subject'], `/apis/v1/namespaces/${namespace}/configmaps/a`);
});

test('leaving the selector arrives as delete, with the old labels and the new version; entering as add', async (t) => {
  const { events, told, has } = await started(t);
  await put(api, map('b', {}));
  const left = await put(api, map('b', {}, {}));
  await put(api, map('b', {}));
  await has(3);
  assert.deepEqual(told(), ['resource.add b', 'resource.delete b', 'resource.add b']);
  const { metadata } = bodyOf(events[1]);
  assert.deepEqual(metadata.labels, { watched: 'yes' });
  assert.equal(metadata.resourceVersion, left.metadata.resourceVersion);
  assert.equal(bodyOf(events[2]).metadata.creationTimestamp, left.metadata.creationTimestamp);
});

test('a finalizer makes an update with a deletionTimestamp, and then a delete', async (t) => {
  const { events, told, has } = await started(t);
  const held = map('c', {});
  await put(api, { ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } });
  await remove('ConfigMap', 'c');
  await has(2);
  assert.ok(bodyOf(events[1]).metadata.deletionTimestamp);
  await put(api, { ...held, metadata: { ...held.metadata, finalizers: [] } });
  await has(3);
  assert.deepEqual(told(), ['resource.add c', 'resource.update c', 'resource.delete c']);
  assert.ok(bodyOf(events[2]).metadata.deletionTimestamp);
});

test('one name twice is delete and add, in order and with two uids', async (t) => {
  const { events, told, has } = await started(t);
  await put(api, map('d', {}));
  await remove('ConfigMap', 'd');
  await put(api, map('d', {}));
  await has(3);
  assert.deepEqual(told(), ['resource.add d', 'resource.delete d', 'resource.add d']);
  const [first, gone, second] = events.map((event) => bodyOf(event).metadata.uid);
  assert.equal(first, gone);
  assert.notEqual(first, second);
});

test('in Reference mode no data of a Secret travels', async (t) => {
  const secrets = { apiVersion: 'v1', kind: 'Secret', selector: '' };
  const { events, told, has } = await started(t, { mode: 'Reference', resources: [secrets] });
  await put(api, { ...map('s', {}), kind: 'Secret', data: { key: 'aHVzaA==' } } as KubeObject);
  await remove('Secret', 's');
  await has(2);
  assert.deepEqual(told(), ['ref.add s', 'ref.delete s']);
  for (const event of events) {
    assert.deepEqual(bodyOf(event), { apiVersion: 'v1', kind: 'Secret', namespace, name: 's' });
  }
});

test('a cluster-scoped kind is watched as a whole, whatever the namespace, with an empty one in its events', async (t) => {
  const labelled = { apiVersion: 'v1', kind: 'Namespace', selector: namespace };
  const { events, has } = await started(t, { resources: [labelled] });
  await put(api, { ...home, metadata: { name: namespace, labels: { [namespace]: '' } } });
  await has(1);
  assert.equal(events[0]?.attributes['namespace'], '');
  assert.equal(events[0]?.attributes['subject'], `/apis/v1/namespaces//namespaces/${namespace}`);
});

test('rounds end and begin all the time, and nothing is lost or told twice', async (t) => {
  const { told, hops, has } = await started(t);
  const names = Array.from({ length: 40 }, (_, index) => `e-${index}`);
  for (const name of names) {
    await put(api, map(name, {}));
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  await has(40);
  assert.deepEqual(
    told(),
    names.map((name) => `resource.add ${name}`),
  );
  assert.deepEqual(
    hops.filter(({ kind }) => kind === 'blind'),
    [],
  );
});

for (const fault of ['cut', 'mute'] as const) {
  test(`a connection that is ${fault} is noticed, and what happened meanwhile comes after`, async (t) => {
    const { server } = await outsideCluster({ kubeconfig: testKubeconfig() });
    const proxy = await startProxy(t, new URL(server));
    const { told, hops, has } = await started(t, {}, proxy.url);
    await put(api, map(`${fault}-before`, {}));
    await has(1);
    proxy[fault]();
    await put(api, map(`${fault}-during`, {}));
    await until('it is noticed', async () => hops.some(({ kind }) => kind === 'blind'));
    proxy.heal();
    await put(api, map(`${fault}-after`, {}));
    await has(3);
    assert.deepEqual(
      told(),
      ['before', 'during', 'after'].map((when) => `resource.add ${fault}-${when}`),
    );
    assert.deepEqual(hops.filter(({ kind }) => kind === 'watching').length, 2);
  });
}

test('a kind that is not served is told as blind', async (t) => {
  const { hops } = await started(t, { resources: [{ apiVersion: 'v1', kind: 'Unheard', selector: '' }] });
  const told = hops[0]?.kind === 'blind' ? hops[0].why : '';
  assert.match(told, /the API server does not serve unheards/);
});
