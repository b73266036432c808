import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from '../../cluster/cluster.ts';
import { serve } from './loopback.ts';

const everywhere = { apiVersion: 'v1', kind: 'Service', labelSelector: '', namespace: '' };
const cases: readonly [sentence: string, watchNamespace: string | undefined, namespace: string, path: string][] = [
  ['all namespaces are all, where nothing else is said', undefined, '', '/api/v1/services'],
  ['all namespaces are the one that is served', 'shop', '', '/api/v1/namespaces/shop/services'],
  ['a namespace that is named stays', 'shop', 'knudge', '/api/v1/namespaces/knudge/services'],
];

for (const [sentence, watchNamespace, namespace, path] of cases) {
  test(sentence, async (t) => {
    const list = { kind: 'ServiceList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
    const server = await serve(t, () => ({ body: list }));
    const cluster = createCluster({
      access: { server: server.url, credentials: async () => ({}) },
      version: '1.2.3',
      timeoutMs: 2000,
      instance: 'test',
      onLostNotice: () => undefined,
      ...(watchNamespace !== undefined && { watchNamespace }),
    });
    t.after(() => cluster.close());
    await cluster.list({ ...everywhere, namespace });
    await cluster.page({ ...everywhere, namespace }, { limit: 10, token: '', metadataOnly: true });
    assert.deepEqual(
      server.seen.map(({ url }) => url.split('?')[0]),
      [path, path],
    );
  });
}
