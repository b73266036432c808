import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, serveWatches } from '../../../controller/test/cluster/watch-api.ts';
import type { Hop } from '../../hop.ts';
import { startApiServerSource } from '../../sources/api-server-source.ts';
import { followNamespaces } from '../../sources/namespaces.ts';

const path = '/api/v1/namespaces';

function namespaces(...names: readonly string[]) {
  const items = names.map((name) => ({ metadata: { name, resourceVersion: '1' } }));
  return { body: { kind: 'NamespaceList', metadata: { resourceVersion: '10' }, items } };
}

async function following(t: TestContext, names: readonly string[]) {
  const api = await serveWatches(t);
  const [log, hops]: [string[], Hop[]] = [[], []];
  api.next('list', namespaces(), namespaces(...names));
  const running = await followNamespaces('team=x', {
    access: { server: api.url, credentials: async () => ({}) },
    version: '1',
    report: (hop) => hops.push(hop),
    source: 's',
    pace: { firstBackoffMs: 5, longestBackoffMs: 20 },
    start: async (namespacesNow) => {
      log.push(`start ${namespacesNow.join()}`);
      return { close: async () => void log.push(`close ${namespacesNow.join()}`) };
    },
  });
  t.after(() => running.close());
  return { api, log, hops, running };
}

const changed = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, resourceVersion: '11' } });

describe('a source on the namespaces with some labels', () => {
  it('has started where it stands, on all of them', async (t) => {
    const { api, log, hops } = await following(t, ['b', 'a']);
    assert.deepEqual(log, ['start a,b']);
    assert.deepEqual(hops, [{ kind: 'watching', source: 's', what: 'Namespace with team=x' }]);
    assert.deepEqual(
      api.lists(path).map((query) => query.get('labelSelector')),
      ['team=x', 'team=x'],
    );
  });

  it('begins anew when one comes or goes, and stays when one merely changes', async (t) => {
    const { api, log } = await following(t, ['a']);
    api.next('list', namespaces('a', 'c'));
    api.push(path, 'ADDED', changed('c'));
    await eventually('it begins anew', () => log.length === 3);
    api.push(path, 'MODIFIED', changed('c'));
    await sleep(20);
    assert.deepEqual(log, ['start a', 'close a', 'start a,c']);
    assert.equal(api.lists(path).length, 3);
  });

  it('stays on what it has where the list is refused, or is the same', async (t) => {
    const { api, log } = await following(t, ['a']);
    api.next('list', { status: 403, body: { kind: 'Status', message: 'no', code: 403 } }, namespaces('a'));
    api.push(path, 'ADDED', changed('c'));
    api.push(path, 'DELETED', changed('c'));
    await eventually('both are looked at', () => api.lists(path).length === 4);
    await sleep(20);
    assert.deepEqual(log, ['start a']);
  });

  it('ends with all that it has started', async (t) => {
    const { log, running } = await following(t, ['a']);
    await running.close();
    assert.deepEqual(log, ['start a', 'close a']);
  });

  it('is what an ApiServerSource with a namespaceSelector is', async (t) => {
    const api = await serveWatches(t);
    api.next('list', namespaces(), namespaces('a', 'b'));
    const source = await startApiServerSource(
      {
        namespace: 'home',
        name: 's',
        mode: 'Resource',
        resources: [{ apiVersion: 'v1', kind: 'Pod', selector: '' }],
        namespaces: { kind: 'labelled', selector: 'team=x' },
        sink: { kind: 'uri', uri: 'http://sink/' },
        overrides: {},
      },
      {
        access: { server: api.url, credentials: async () => ({}) },
        version: '1',
        send: async () => ({ status: 202 }),
        report: () => undefined,
      },
    );
    t.after(() => source.close());
    assert.equal(api.watches(`${path}/a/pods`).length, 1);
    assert.equal(api.watches(`${path}/b/pods`).length, 1);
  });
});
