import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { looked } from '../functions/resync-due.ts';
import { functions, type Stem } from '../functions/table.ts';
import type { EventRow } from '../packages/controller/functions/rows.ts';
import { type Seen, serve } from '../packages/controller/test/cluster/loopback.ts';
import { runChangeFunctions, runEventFunction } from '../packages/start/main.ts';
import { equip } from '../resources/managed/equip.ts';
import { parentKinds } from '../resources/managed/kinds.ts';
import { settings } from '../resources/managed/settings.ts';
import { recorded } from './build/event.ts';

const quiet = { PORT: '0', LOG_LEVEL: 'silent' };

interface Running {
  readonly stem: Stem;
  readonly row: EventRow;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a function of events for one test. */
async function run(t: TestContext, { stem, row, env = {} }: Running): Promise<string> {
  return listening(t, await runEventFunction({ stem, ...row }, { ...quiet, ...env }));
}

async function listening(t: TestContext, server: Server): Promise<string> {
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function post(url: string, name: string): Promise<Response> {
  const { headers, body } = recorded(name);
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(10_000) });
}

const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'knudge-resync', namespace: 'knudge', uid: 'u-2', resourceVersion: '7' },
};

const page = ({ url }: Seen) => ({
  body: url.includes('/leases/')
    ? lease
    : {
        kind: 'PartialObjectMetadataList',
        metadata: {},
        items: url.includes('/messages') ? [{ metadata: { name: 'hello', namespace: 'shop', uid: 'u-1' } }] : [],
      },
});

test('a tick reaches the API server and the Broker, and is answered 204', async (t) => {
  const api = await serve(t, page);
  const broker = await serve(t, () => ({ status: 202, body: '' }));
  const env = { API_SERVER_URL: api.url, K_SINK: `${broker.url}/knudge/knudge` };
  const url = await run(t, { stem: 'resync-due', row: functions['resync-due'], env });
  const lists = parentKinds.length + looked.length;
  const answer = await post(url, 'resync-due/pingsource-through-broker');
  assert.deepEqual([answer.status, await answer.text()], [204, '']);
  assert.equal(answer.headers.get('knudge-outcome'), `done; reads=${lists + 2}; writes=2; sent=1; failed=0`);
  assert.deepEqual(
    broker.seen.map(({ headers }) => [headers['ce-type'], headers['ce-kind'], headers['ce-name']]),
    [['dev.knudge.resync.requested', 'Message', 'hello']],
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.ok(metrics.includes(`knudge_api_requests_total{verb="list",code="200"} ${lists}\n`));
  const kept = api.seen.filter(({ method }) => method === 'PATCH');
  assert.deepEqual(
    kept.map(({ url: path }) => path.split('?')[0]),
    Array(2).fill('/apis/coordination.k8s.io/v1/namespaces/knudge/leases/knudge-resync'),
  );
  assert.equal(JSON.parse(kept[0]?.body ?? '').metadata.resourceVersion, '7', 'over what was read');
  assert.match(JSON.parse(kept[1]?.body ?? '').spec.renewTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/);
});

test('what a function sends and what reports its deliveries share one connection to the Broker', async (t) => {
  const api = await serve(t, page);
  const ports = new Set<number | undefined>();
  const broker = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => response.writeHead(202).end());
  });
  const sink = await listening(t, broker.listen(0, '127.0.0.1'));
  const env = { API_SERVER_URL: api.url, K_SINK: `${sink}/knudge/knudge`, REPORT_DELIVERIES: 'event' };
  const server = await runEventFunction({ stem: 'resync-due', ...functions['resync-due'] }, { ...quiet, ...env });
  let sent = 0;
  broker.on('request', () => {
    sent += 1;
  });
  await post(await listening(t, server), 'resync-due/pingsource-through-broker');
  while (sent < 2) await once(broker, 'request', { signal: AbortSignal.timeout(10_000) });
  assert.equal(ports.size, 1);
});

test('what sends events does not start without K_SINK, and says so', async () => {
  const work = runEventFunction({ stem: 'resync-due', ...functions['resync-due'] }, quiet);
  await assert.rejects(work, /K_SINK is not set, and resync-due sends events: give the address/);
});

for (const [what, handle] of [
  [
    'cluster',
    (_, { pager }) =>
      pager.page(
        { apiVersion: '', kind: '', namespace: '', labelSelector: '' },
        { token: '', limit: 1, metadataOnly: true },
      ),
  ],
  ['broker', (_, { sender }) => sender.send({ id: '', type: '', source: '', time: '', extensions: {} })],
  ['event log', (received, { eventLog }) => eventLog.append(received)],
] as readonly (readonly [string, (...args: Parameters<EventRow['handle']>) => Promise<unknown>])[]) {
  test(`a function that uses the ${what} without saying so fails by a fault of ours`, async (t) => {
    const row: EventRow = {
      wakes: 'event',
      types: 'every',
      uses: [],
      handle: async (...args) => {
        await handle(...args);
        return { result: 'done', reads: 0, writes: 0 };
      },
    };
    const answer = await post(await run(t, { stem: 'resync-due', row }), 'dead-lettered/broker-deadletter-after-400');
    assert.equal(answer.status, 500);
  });
}

test('a change is answered with the parents it concerned, also those that are gone', async (t) => {
  const api = await serve(t, () => ({ status: 404, body: { kind: 'Status', status: 'Failure', reason: 'NotFound' } }));
  const row = functions['message-changed'];
  const server = await runChangeFunctions(
    { name: 'message-changed', own: [{ stem: 'message-changed', ...row }], settings, equip },
    {
      ...quiet,
      API_SERVER_URL: api.url,
    },
  );
  const answer = await post(await listening(t, server), 'message-changed/message-add');
  assert.deepEqual([answer.status, answer.headers.get('knudge-parents')], [204, 'Message ev/hello']);
  assert.equal(answer.headers.get('knudge-outcome'), 'gone; reads=2; writes=0');
});

test('an API server that is not on this machine is refused at the start', async () => {
  const row = functions['message-changed'];
  const env = { ...quiet, API_SERVER_URL: 'http://10.0.0.1:8001' };
  await assert.rejects(
    runChangeFunctions({ name: 'message-changed', own: [{ stem: 'message-changed', ...row }], settings, equip }, env),
    /not a safe address/,
  );
});
