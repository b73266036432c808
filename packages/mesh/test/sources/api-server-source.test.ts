import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, pod, serveWatches, type WatchApi } from '../../../controller/test/cluster/watch-api.ts';
import type { CloudEvent } from '../../cloud-event.ts';
import type { Hop } from '../../hop.ts';
import type { SourceSpec } from '../../mesh-spec.ts';
import { type SourceOptions, startApiServerSource } from '../../sources/api-server-source.ts';

const spec: SourceSpec = {
  namespace: 'home',
  name: 'objects',
  mode: 'Resource',
  resources: [{ apiVersion: 'v1', kind: 'Pod', selector: '' }],
  namespaces: { kind: 'all' },
  sink: { kind: 'uri', uri: 'http://sink/' },
  overrides: {},
};

const core = {
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      { name: 'pods', namespaced: true },
      { name: 'nodes', namespaced: false },
    ],
  },
};

async function running(t: TestContext, change: Partial<SourceSpec> = {}, options: Partial<SourceOptions> = {}) {
  const api = await serveWatches(t, core);
  const [events, hops]: [CloudEvent[], Hop[]] = [[], []];
  const source = await startApiServerSource(
    { ...spec, ...change },
    {
      access: { server: api.url, credentials: async () => ({}) },
      version: '1',
      send: async (event) => {
        events.push(event);
        return { status: 202 };
      },
      report: (hop) => hops.push(hop),
      pace: { roundMs: 1000, graceMs: 500, firstBackoffMs: 5, longestBackoffMs: 20 },
      ...options,
    },
  );
  t.after(() => source.close());
  return { api, events, hops, source, names: () => events.map(({ attributes }) => nameOf(attributes)) };
}

function nameOf({ type, namespace, name }: CloudEvent['attributes']): string {
  return `${type} ${namespace}/${name}`;
}

function paths(api: WatchApi): readonly string[] {
  const watches = api.seen.filter(({ url }) => url.includes('watch=true'));
  return [...new Set(watches.map(({ url }) => new URL(url, api.url).pathname))].sort();
}

describe('an ApiServerSource', () => {
  it('watches when it has started, and sends each change with ids of its own', async (t) => {
    const { api, events, hops, names } = await running(t);
    assert.deepEqual(hops, [{ kind: 'watching', source: 'objects', what: 'Pod' }]);
    api.push('/api/v1/pods', 'ADDED', pod('a', '11'));
    api.push('/api/v1/pods', 'MODIFIED', pod('a', '12'));
    api.push('/api/v1/pods', 'DELETED', pod('a', '13'));
    await eventually('all are sent', () => hops.length === 4);
    const type = 'dev.knative.apiserver.resource';
    assert.deepEqual(names(), [`${type}.add shop/a`, `${type}.update shop/a`, `${type}.delete shop/a`]);
    assert.equal(new Set(events.map(({ attributes }) => attributes['id'])).size, 3);
    assert.equal(events[0]?.attributes['source'], api.url);
    assert.equal(events[0]?.headers?.['kn-namespace'], 'home');
    assert.match(events[0]?.attributes['time'] ?? '', /^\d{4}-.*Z$/);
    assert.deepEqual(
      hops.slice(1).map(({ kind }) => kind),
      ['sent', 'sent', 'sent'],
    );
  });

  it('in Reference mode sends no more than the name, with its extensions', async (t) => {
    const { api, events } = await running(t, { mode: 'Reference', overrides: { site: 'a' } });
    api.push('/api/v1/pods', 'ADDED', pod('a', '11', { labels: { secret: 'x' } }));
    await eventually('it is sent', () => events.length === 1);
    const reference = { kind: 'Pod', namespace: 'shop', name: 'a', apiVersion: 'v1' };
    assert.deepEqual(JSON.parse(String(events[0]?.data)), reference);
    assert.equal(events[0]?.attributes['type'], 'dev.knative.apiserver.ref.add');
    assert.equal(events[0]?.attributes['site'], 'a');
  });

  it('has a watch for each entry, also for two of one kind', async (t) => {
    const resources = [
      { apiVersion: 'v1', kind: 'Pod', selector: 'a' },
      { apiVersion: 'v1', kind: 'Pod', selector: 'b' },
      { apiVersion: 'apps/v1', kind: 'Deployment', selector: '' },
    ];
    const { api, hops } = await running(t, { resources });
    assert.deepEqual(
      api
        .watches('/api/v1/pods')
        .map((query) => query.get('labelSelector'))
        .sort(),
      ['a', 'b'],
    );
    assert.equal(api.watches('/apis/apps/v1/deployments').length, 1);
    assert.deepEqual(hops.map((hop) => 'what' in hop && hop.what).sort(), ['Deployment', 'Pod with a', 'Pod with b']);
  });

  it('holds back what follows a slow sink, but not other kinds', async (t) => {
    const release = Promise.withResolvers<void>();
    const asked: string[] = [];
    const resources = [...spec.resources, { apiVersion: 'v1', kind: 'Node', selector: '' }];
    const send: SourceOptions['send'] = async ({ attributes }) => {
      asked.push(String(attributes['name']));
      if (attributes['kind'] === 'Pod') await release.promise;
      return { status: 202 };
    };
    const { api, hops } = await running(t, { resources }, { send });
    api.push('/api/v1/pods', 'ADDED', pod('a', '11'));
    api.push('/api/v1/pods', 'ADDED', pod('b', '12'));
    await eventually('the first is asked', () => asked.length === 1);
    api.push('/api/v1/nodes', 'ADDED', { ...pod('n', '13'), kind: 'Node' });
    await eventually('the node is sent', () => asked.length === 2);
    assert.deepEqual(asked, ['a', 'n']);
    release.resolve();
    await eventually('all are sent', () => hops.filter(({ kind }) => kind === 'sent').length === 3);
  });

  it('tries on for three seconds and then goes on with the next', async (t) => {
    const { api, hops } = await running(
      t,
      {},
      { send: async (event) => ({ status: event.attributes['name'] === 'a' ? 500 : 202 }) },
    );
    api.push('/api/v1/pods', 'ADDED', pod('a', '11'));
    api.push('/api/v1/pods', 'ADDED', pod('b', '12'));
    await eventually('both are told', () => hops.length === 3);
    assert.deepEqual(
      hops.slice(1).map(({ kind }) => kind),
      ['lost', 'sent'],
    );
  });

  it('sends only what a controller of that kind owns', async (t) => {
    const { api, names } = await running(t, { owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet' } });
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u' };
    const owners: readonly (readonly [string, object[]])[] = [
      ['none', []],
      ['no-controller', [owner]],
      ['other-kind', [{ ...owner, kind: 'Job', controller: true }]],
      ['other-version', [{ ...owner, apiVersion: 'apps/v2', controller: true }]],
      ['owned', [{ ...owner, controller: true }]],
    ];
    for (const [name, ownerReferences] of owners) {
      api.push('/api/v1/pods', 'ADDED', {
        ...pod(name, '11'),
        metadata: { ...pod(name, '11').metadata, ownerReferences },
      });
    }
    await eventually('one is sent', () => names().length > 0);
    await sleep(20);
    assert.deepEqual(names(), ['dev.knative.apiserver.resource.add shop/owned']);
  });

  it('keeps to its own namespace, cluster-scoped kinds aside', async (t) => {
    const resources = [...spec.resources, { apiVersion: 'v1', kind: 'Node', selector: '' }];
    const { api, hops } = await running(t, { resources, namespaces: { kind: 'own' } });
    assert.deepEqual(paths(api), ['/api/v1/namespaces/home/pods', '/api/v1/nodes']);
    assert.deepEqual(hops.map((hop) => 'what' in hop && hop.what).sort(), ['Node', 'Pod in home']);
  });

  it('with a kind that is not served starts all the same, and says that it is blind', async (t) => {
    const gone = { status: 404, body: { kind: 'Status', status: 'Failure', message: 'not found', code: 404 } };
    const api = await serveWatches(t);
    api.next('list', gone, gone, gone, gone, gone, gone, gone, gone);
    const hops: Hop[] = [];
    const options = {
      access: { server: api.url, credentials: async () => ({}) },
      version: '1',
      send: async () => ({ status: 202 }),
    };
    const source = await startApiServerSource(
      { ...spec, namespaces: { kind: 'own' } },
      { ...options, report: (hop) => hops.push(hop) },
    );
    await source.close();
    assert.deepEqual(
      hops.map(({ kind }) => kind),
      ['blind'],
    );
  });

  it('ends at once although the sink hangs', async (t) => {
    const { api, source, hops } = await running(t, {}, { send: () => new Promise(() => undefined) });
    api.push('/api/v1/pods', 'ADDED', pod('a', '11'));
    await sleep(20);
    await source.close();
    await eventually('the event is told as lost', () => hops.some(({ kind }) => kind === 'lost'));
  });
});
