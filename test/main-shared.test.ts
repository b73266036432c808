import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { functions, services } from '../functions/table.ts';
import type { KubeObject } from '../packages/controller/domain/kube-object.ts';
import { serve } from '../packages/controller/test/cluster/loopback.ts';
import { runChangeFunctions } from '../packages/start/main.ts';
import { equip } from '../resources/managed/equip.ts';
import { settings } from '../resources/managed/settings.ts';
import { distributedService, object } from './build/objects.ts';
import { until } from './kube/until.ts';

type Own = (typeof services)['distributed-service'][number];

const parent = '/apis/frp.io/v1beta1/namespaces/shop/distributedservices/web';

/** An API server that has the parent or nothing, and which answers questions about it when it is told to. */
async function startApi(t: TestContext, web?: KubeObject) {
  const { promise: told, resolve: answer } = Promise.withResolvers<void>();
  const api = await serve(t, async ({ url }) => {
    if (url.startsWith(parent)) await told;
    if (web !== undefined && url.startsWith(parent)) return { body: web };
    if (url.includes('limit=')) return { body: { kind: 'List', metadata: {}, items: [] } };
    return { status: 404, body: { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 } };
  });
  return {
    url: api.url,
    answer,
    asked: () => api.seen.filter(({ url }) => url.startsWith(parent)).length,
    seen: api.seen,
  };
}

async function run(t: TestContext, stems: readonly Own[], api: string): Promise<{ server: Server; url: string }> {
  const own = stems.map((stem) => ({ stem, ...functions[stem] }));
  const env = { PORT: '0', LOG_LEVEL: 'silent', API_SERVER_URL: api };
  const server = await runChangeFunctions({ name: 'distributed-service', own, settings, equip }, env);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  if (!server.listening) await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

function backend(kind: string, apiVersion = 'v1'): KubeObject {
  const metadata = { name: 'one', namespace: 'shop', uid: kind, labels: { 'frp.io/service': 'web' } };
  return { ...object(kind, 'one'), apiVersion, metadata };
}

const backends: Readonly<Partial<Record<Own, KubeObject>>> = {
  'pod-changed': backend('Pod'),
  'service-changed': backend('Service'),
};

async function post(url: string, { apiVersion, kind, metadata }: KubeObject, query = ''): Promise<Response> {
  const about = { 'ce-apiversion': apiVersion, 'ce-kind': kind, 'ce-namespace': 'shop', 'ce-name': metadata.name };
  const attributes = { 'ce-specversion': '1.0', 'ce-id': randomUUID(), 'ce-source': 'https://10.96.0.1:443' };
  return fetch(`${url}${query}`, {
    method: 'POST',
    headers: {
      ...attributes,
      ...about,
      'ce-type': 'dev.knative.apiserver.resource.update',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ apiVersion, kind, metadata }),
  });
}

/** Posts the first; while its run asks for the parent, all others twice; gives how often the parent was asked for. */
async function asksFor(t: TestContext, stems: readonly Own[], more: readonly Own[]): Promise<number> {
  const api = await startApi(t);
  const { server, url } = await run(t, stems, api.url);
  let arrived = 0;
  server.on('request', () => {
    arrived += 1;
  });
  const send = (stem: Own) => post(`${url}/${stem}`, backends[stem] ?? assert.fail(stem));
  const first = send('pod-changed');
  await until('the first run has begun', async () => api.asked() === 1);
  const others = [...more, ...more].map(send);
  await until('all are there', async () => arrived === others.length + 1);
  // From its arrival until it asks for a run an event waits for nothing but its own body.
  await sleep(200);
  api.answer();
  const answers = await Promise.all([first, ...others]);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
  assert.deepEqual(
    [...new Set(answers.map(({ headers }) => headers.get('knudge-parents')))],
    ['DistributedService shop/web'],
  );
  return api.asked();
}

test('events of several kinds about one parent share one run, which begins when the run under way has ended', async (t) => {
  const alone = await asksFor(t, ['pod-changed'], []);
  const stems = services['distributed-service'];
  assert.equal(await asksFor(t, stems, ['pod-changed', 'service-changed']), 2 * alone);
});

test('a process of several functions takes events at the path of each, and says where', async (t) => {
  const { url } = await run(t, services['distributed-service'], 'http://127.0.0.1:9');
  // What a function does not take costs nothing.
  const other = { ...object('Other', 'one'), metadata: { name: 'one', namespace: 'shop' } };
  for (const stem of services['distributed-service']) assert.equal((await post(`${url}/${stem}`, other)).status, 204);
  const nowhere = await post(`${url}/`, other);
  const { message } = (await nowhere.json()) as { readonly message: string };
  assert.equal(nowhere.status, 400);
  for (const stem of services['distributed-service']) assert.match(message, new RegExp(`/${stem}\\b`));
  const read = await fetch(`${url}/pod-changed`);
  assert.deepEqual([read.status, read.headers.get('allow')], [405, 'POST']);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const stem of services['distributed-service']) {
    assert.ok(metrics.includes(`knudge_events_total{function="${stem}",outcome="ignored"} 1`), stem);
  }
});

test('a function that is alone takes its events at its path too', async (t) => {
  const { url } = await run(t, ['pod-changed'], 'http://127.0.0.1:9');
  const other = { ...object('Other', 'one'), metadata: { name: 'one', namespace: 'shop' } };
  for (const path of ['', '/', '/pod-changed']) assert.equal((await post(`${url}${path}`, other)).status, 204);
  assert.equal((await post(`${url}/service-changed`, other)).status, 400);
});

test('a dry run is asked for at the path of a function as well', async (t) => {
  const web = distributedService();
  const api = await startApi(t, {
    ...web,
    metadata: { ...web.metadata, uid: 'u', resourceVersion: '1', generation: 1 },
  });
  api.answer();
  const { url } = await run(t, services['distributed-service'], api.url);
  const pod = backends['pod-changed'] ?? assert.fail();
  const answer = await post(`${url}/pod-changed`, pod, '?dryRun=All');
  const ref = { apiVersion: web.apiVersion, kind: web.kind };
  const { plans } = (await answer.json()) as { readonly plans: readonly { readonly ref: object }[] };
  assert.equal(answer.status, 200);
  assert.deepEqual(
    plans.map((one) => one.ref),
    [{ ...ref, namespace: 'shop', name: 'web' }],
  );
  const tried = api.seen.filter(({ method }) => method !== 'GET');
  assert.deepEqual([...new Set(tried.map(({ method }) => method))].sort(), ['PATCH', 'POST']);
  for (const { url } of tried) assert.match(url, /[?&]dryRun=All(&|$)/);
  assert.equal((await post(`${url}/pod-changed`, pod, '?dryRun=Some')).status, 400);
});

test('the DistributedServices are counted by the process that serves their function, whatever else it serves', async (t) => {
  const asked: string[] = [];
  const service = { metadata: { name: 'web', namespace: 'shop', uid: 'u' }, status: { state: 'Ready' } };
  const api = await serve(t, ({ url }) => {
    asked.push(url.split('?')[0] ?? '');
    return { body: { kind: 'DistributedServiceList', metadata: {}, items: [service] } };
  });
  const counted = 'frp_operator_managed_services{state="Ready"} 1';
  for (const [stems, wanted] of [
    [services['distributed-service'], true],
    [['distributed-service-changed'], true],
    [['pod-changed', 'claim-changed'], false],
  ] as const) {
    const { url } = await run(t, stems, api.url);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.equal(metrics.includes(counted), wanted, stems.join());
  }
  assert.deepEqual([...new Set(asked)], ['/apis/frp.io/v1beta1/distributedservices']);
});
