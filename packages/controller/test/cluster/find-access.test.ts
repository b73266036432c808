import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../../resources/managed/kinds.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { findAccess } from '../../cluster/find-access.ts';
import { serve } from './loopback.ts';

const nothing = { kubeconfig: undefined, url: '', token: '', host: undefined, port: undefined };
const inside = { host: '10.96.0.1', port: '443' };
const options = { version: '1', instance: 'x', onLostNotice: () => {} };

test('in a cluster it is the API server of the cluster', async () => {
  assert.equal((await findAccess({ ...nothing, ...inside })).server, 'https://10.96.0.1:443');
});

test('an address goes before the cluster, and is shown nothing but its own token', async () => {
  const access = await findAccess({ ...nothing, ...inside, url: 'http://127.0.0.1:8001' });
  assert.equal(access.server, 'http://127.0.0.1:8001');
  assert.deepEqual(await access.credentials(false), {});
  const own = await findAccess({ ...nothing, url: 'http://127.0.0.1:8001', token: 't' });
  assert.deepEqual(await own.credentials(false), { authorization: 'Bearer t' });
});

test('a kubeconfig goes before an address', async () => {
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] = '/nonexistent/kubeconfig';
  try {
    const work = findAccess({
      ...nothing,
      ...inside,
      kubeconfig: '/nonexistent/kubeconfig',
      url: 'http://127.0.0.1:1',
    });
    await assert.rejects(work, /kubeconfig/i);
  } finally {
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
  }
});

test('requests to an address carry no authorization without a token', async (t) => {
  const server = await serve(t, () => ({ body: { kind: 'MessageList', metadata: {}, items: [] } }));
  const cluster = createCluster({ access: await findAccess({ ...nothing, url: server.url }), ...options });
  t.after(() => cluster.close());
  await cluster.list({ apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: '', labelSelector: '' });
  assert.equal(server.seen.length, 1);
  assert.equal(server.seen[0]?.headers.authorization, undefined);
});

test('an address of another machine is refused: anybody on the way could be the API server', async () => {
  const access = await findAccess({ ...nothing, url: 'http://10.0.0.1:8001' });
  assert.throws(() => createCluster({ access, ...options }), /not a safe address/);
});
