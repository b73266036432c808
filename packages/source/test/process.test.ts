import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../../controller/test/cluster/loopback.ts';
import { eventually, path, pod, serveWatches, type WatchApi } from '../../controller/test/cluster/watch-api.ts';
import { runSourceProcess } from '../process.ts';

const forbidden = { status: 403, body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' } };
const parts = {
  version: 'test',
  watches: [{ mode: 'Resource', resources: [{ apiVersion: 'v1', kind: 'Pod', selector: '' }] }],
  looksAt: { '/Pod': ['phase'] },
} as const;

/** The process of a source beside an API server and a Broker, and its own address. */
async function aProcess(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
  { prepare, others }: { prepare?: (api: WatchApi) => void; others?: Readonly<Record<string, unknown>> } = {},
) {
  const [api, broker] = [await serveWatches(t, others), await serve(t, () => ({ status: 202, body: {} }))];
  prepare?.(api);
  const folder = mkdtempSync(join(tmpdir(), 'knudge-process-'));
  const { server, close } = await runSourceProcess(parts, {
    PORT: '0',
    LISTEN_ADDRESS: '127.0.0.1',
    LOG_LEVEL: 'silent',
    API_SERVER_URL: api.url,
    K_SINK: broker.url,
    SOURCE_FILE: join(folder, 'source.db'),
    ...env,
  });
  t.after(async () => {
    await close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  if (!server.listening) await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const ask = async (at: string) => {
    const response = await fetch(`${url}${at}`);
    return { status: response.status, text: await response.text() };
  };
  return { api, broker, ask };
}

test('it tells the Broker, is ready when its watches stand, and tells how it is', async (t) => {
  const { api, broker, ask } = await aProcess(t, { K_CE_OVERRIDES: '{"extensions":{"mine":"yes"}}' });
  await eventually('it watches', () => api.watches().length === 1);
  api.push(path, 'ADDED', pod('web', '11'));
  await eventually('the Broker was told', () => broker.seen.length === 1);
  const { headers = {} } = broker.seen[0] ?? {};
  assert.deepEqual(
    ['ce-type', 'ce-source', 'ce-name', 'ce-mine', 'kn-namespace'].map((name) => headers[name]),
    ['dev.knative.apiserver.resource.add', api.url, 'web', 'yes', 'knudge'],
  );
  assert.equal((await ask('/health/readiness')).status, 200);
  const { text } = await ask('/metrics');
  for (const line of ['sent_total{} 1', 'left_out_total{} 0', 'waiting_events{} 0', 'blind_watches{} 0'])
    assert.ok(text.includes(`knudge_source_${line}`), line);
  assert.equal((await ask('/')).status, 400);
});

test('it is not ready while a watch has never stood', async (t) => {
  const { api, ask } = await aProcess(t, {}, { prepare: (one) => one.next('list', forbidden) });
  await eventually('it asked', () => api.lists().length === 1);
  const { status, text } = await ask('/health/readiness');
  assert.equal(status, 503);
  assert.match(text, /1 of 1 watches do not stand yet/);
  await eventually('it watches', () => api.watches().length === 1);
  assert.equal((await ask('/health/readiness')).status, 200);
});

test('one that stands by is ready and not blind while it knows the process that tells, and blind when it cannot ask', async (t) => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/knudge/leases/source';
  const held = {
    kind: 'Lease',
    metadata: { name: 'source', resourceVersion: '5' },
    spec: { holderIdentity: 'another' },
  };
  const { api, ask } = await aProcess(t, { SOURCE_LEASE: 'source' }, { others: { [lease]: held } });
  for (let tries = 0; (await ask('/health/readiness')).status !== 200; tries += 1) {
    assert.ok(tries < 100, 'it is not ready');
    await sleep(10);
  }
  assert.ok((await ask('/metrics')).text.includes('knudge_source_blind_watches{} 0'));
  assert.equal(api.watches().length, 0);

  const lost = await aProcess(
    t,
    { SOURCE_LEASE: 'source' },
    { prepare: (one) => one.next('list', forbidden, forbidden) },
  );
  await eventually('it asked', () => lost.api.seen.length > 0);
  const { status, text } = await lost.ask('/health/readiness');
  assert.equal(status, 503);
  assert.match(text, /cannot ask which process holds the Lease/);
  assert.ok((await lost.ask('/metrics')).text.includes('knudge_source_blind_watches{} 1'));
});

for (const [what, env, message] of [
  ['no sink', { K_SINK: '' }, /^K_SINK is not set: a ContainerSource or a SinkBinding/],
  [
    'overrides that are no JSON',
    { K_CE_OVERRIDES: '{' },
    /K_CE_OVERRIDES is "\{" and must be JSON as Knative writes it/,
  ],
  [
    'overrides with another name',
    { K_CE_OVERRIDES: '{"extensions":{"A-b":"c"}}' },
    /must be JSON as Knative writes it/,
  ],
] as const) {
  test(`it does not start with ${what}`, async () => {
    await assert.rejects(runSourceProcess(parts, { K_SINK: 'http://127.0.0.1:9', ...env }), { message });
  });
}
