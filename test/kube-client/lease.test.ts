import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from '../../src/kube/cluster.ts';
import type { Ending, Sending } from '../../src/kube/exchange.ts';
import { renewedAt } from '../../src/kube/lease.ts';
import { createApi } from '../../src/local/api/api.ts';
import { ending } from '../faults/sim/spoil.ts';
import { failure, transportTo } from './build.ts';
import { serve } from './loopback.ts';

const lease = { namespace: 'knudge', name: 'knudge-resync' };

/** The embedded API, whose schemas are the real one's, and what it was asked. */
function onEmbedded() {
  const api = createApi();
  api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'knudge' } });
  const asked: string[] = [];
  const exchange = async ({ method, url, headers, body = '' }: Sending): Promise<Ending> => {
    asked.push(`${method} ${url.pathname}${url.search}`);
    const answered = api.handle({ method, path: url.pathname, query: url.searchParams, headers, body });
    if (!('status' in answered)) throw new Error('not asked for');
    return ending(answered);
  };
  const access = { server: 'http://127.0.0.1', credentials: async () => ({}) };
  return { asked, cluster: createCluster({ access, version: 't', instance: 't', exchange, onLostNotice: () => {} }) };
}

test('a time that was never kept is none; kept and kept anew it is the last, each in one request', async () => {
  const { asked, cluster } = onEmbedded();
  assert.equal(await cluster.renewed(lease), undefined);
  for (const time of ['2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z']) {
    await cluster.renew(lease, time);
    assert.equal(await cluster.renewed(lease), Date.parse(time));
  }
  const path = '/apis/coordination.k8s.io/v1/namespaces/knudge/leases/knudge-resync';
  const [get, patch] = [`GET ${path}`, `PATCH ${path}?fieldManager=knudge&force=true`];
  assert.deepEqual(asked, [get, patch, get, patch, get]);
});

test('a Lease whose time somebody took away tells of none', async (t) => {
  const metadata = { ...lease, uid: 'u', resourceVersion: '1' };
  const bodies: readonly unknown[] = [{}, { spec: {} }, { spec: { renewTime: 'soon' } }];
  const left = [...bodies];
  const { url } = await serve(t, () => ({
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, ...Object(left.shift()) },
  }));
  for (const _ of bodies) assert.equal(await renewedAt(transportTo(url), lease), undefined);
});

test('an API server that may not tell is no Lease that is not there', async (t) => {
  const { url } = await serve(t, () => ({ status: 403, body: failure(403, 'Forbidden') }));
  await assert.rejects(renewedAt(transportTo(url), lease), { code: 'not-permitted' });
});
