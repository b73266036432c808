import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { functions } from '../functions/table.ts';
import { runChangeFunctions } from '../packages/start/main.ts';
import { equip } from '../resources/managed/equip.ts';
import { settings } from '../resources/managed/settings.ts';
import { type Rule, startApiStub } from './build/api-stub.ts';
import { message, object } from './build/objects.ts';
import { postEvent } from './kube/post.ts';

const hello = { ...message(), metadata: { ...message().metadata, uid: 'u', resourceVersion: '1', generation: 1 } };
const pod = {
  ...object('Pod', 'msg-hello'),
  metadata: { name: 'msg-hello', namespace: 'shop', uid: 'p', resourceVersion: '2' },
};
const status = (code: number, reason: string, words: string) => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: words, code },
});
const usual: Rule = ({ method = '', url = '' }) => {
  if (method === 'GET' && url.includes('/messages/')) return { status: 200, body: hello };
  if (method === 'GET') return status(404, 'NotFound', 'not found');
  return method === 'POST' ? { status: 201, body: pod } : { status: 200, body: hello };
};
const on =
  (method: string, part: string, answer: ReturnType<Rule>): Rule =>
  (request) =>
    request.method === method && (request.url ?? '').includes(part) ? answer : undefined;

let api: Awaited<ReturnType<typeof startApiStub>>;
let running: Server;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'knudge-main-'));

before(async () => {
  api = await startApiStub(usual);
  const path = join(folder, 'kubeconfig');
  const server = api.url;
  const named = (name: string, value: object): object[] => [{ name: 'a', [name]: value }];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: named('cluster', { server }),
    contexts: named('context', { cluster: 'a', user: 'a' }),
    users: named('user', { token: 'canary-token' }),
  };
  writeFileSync(path, JSON.stringify(config));
  process.env['KUBECONFIG'] = path;
  running = await runChangeFunctions(
    { name: 'message-changed', own: [{ stem: 'message-changed', ...functions['message-changed'] }], settings, equip }, // What is counted here takes its time on a machine with other work.
    { PORT: '0', KUBECONFIG: path, LOG_LEVEL: 'silent', API_TIMEOUT_SECONDS: '20', HANDLER_DEADLINE_SECONDS: '60' },
  );
  await once(running, 'listening').catch(() => undefined);
  url = `http://127.0.0.1:${String((running.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  Object.assign(api, { rules: [], seen: [], hold: Promise.resolve() });
});
after(() => {
  running.close();
  running.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true });
});

interface Row {
  readonly sentence: string;
  readonly rules: readonly Rule[];
  readonly status: number;
  readonly says?: RegExp;
  readonly writes?: readonly string[];
  /** The header that says what was done. */
  readonly outcome?: string;
}

const pods = '/namespaces/shop/pods';
const statusPath = 'PATCH /apis/myorg.dev/v1/namespaces/shop/messages/hello/status';
const create = `POST /api/v1${pods}`;
const rows: readonly Row[] = [
  { sentence: 'all goes well', rules: [], status: 204, writes: [create, statusPath] },
  {
    sentence: 'the parent is gone',
    rules: [on('GET', '/messages/', status(404, 'NotFound', 'no'))],
    status: 204,
    writes: [],
  },
  {
    sentence: 'a read is throttled for longer than is worth waiting',
    rules: [on('GET', pods, { ...status(429, 'TooManyRequests', 'slow down'), headers: { 'retry-after': '7' } })],
    status: 429,
    says: /throttled/,
    writes: [],
  },
  {
    sentence: 'the API server has a fault',
    rules: [on('GET', pods, status(500, 'InternalError', 'etcd'))],
    status: 503,
    says: /unavailable/,
    writes: [],
  },
  {
    sentence: 'the API server breaks the connection',
    rules: [on('GET', pods, 'reset')],
    status: 503,
    says: /unavailable/,
    writes: [],
  },
  {
    sentence: 'the permission to read is missing',
    rules: [on('GET', pods, status(403, 'Forbidden', 'pods is forbidden: User "x" cannot get resource "pods"'))],
    status: 500,
    says: /internal|not-permitted/,
    writes: [],
  },
  {
    sentence: 'the write is invalid',
    rules: [on('POST', pods, status(422, 'Invalid', 'spec.x: Invalid value'))],
    status: 204,
    writes: [create, statusPath],
  },
  {
    sentence: 'the quota is used up',
    rules: [on('POST', pods, status(403, 'Forbidden', 'pods "x" is forbidden: exceeded quota: none'))],
    status: 204,
    writes: [create, statusPath],
  },
  {
    sentence: 'the status is refused',
    rules: [on('PATCH', '/status', status(422, 'Invalid', 'status.x: Invalid value'))],
    status: 204,
    outcome: 'done; reads=2; writes=2',
    writes: [create, statusPath],
  },
  {
    sentence: 'the write always conflicts',
    rules: [on('PATCH', '/status', status(409, 'Conflict', 'modified'))],
    status: 503,
    says: /conflict/,
    writes: [create, statusPath, create, statusPath, create, statusPath, create, statusPath],
  },
];
for (const row of rows) {
  test(`${row.sentence}: ${String(row.status)}`, async () => {
    api.rules = row.rules;
    const got = await postEvent(url, hello);
    assert.equal(got.status, row.status, got.body);
    assert.ok(Buffer.byteLength(got.body) <= 512);
    if (row.outcome !== undefined) assert.equal(got.outcome, row.outcome);
    if (row.says === undefined) assert.equal(got.body, '');
    else assert.match(got.body, row.says);
    assert.doesNotMatch(got.body, /canary/);
    const writes = api.seen.filter((call) => !call.startsWith('GET') && !call.includes('/events'));
    assert.deepEqual(writes, row.writes);
  });
}

test('an API server that is away is 503 with Retry-After, and the function lives on', async () => {
  api.rules = [() => 'reset'];
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'ce-specversion': '1.0',
      'ce-id': '1',
      'ce-source': 's',
      'ce-type': 'dev.knative.apiserver.ref.update',
      'ce-kind': 'Message',
      'ce-apiversion': 'myorg.dev/v1',
      'ce-name': 'hello',
      'ce-namespace': 'shop',
      'content-type': 'application/json',
    },
    body: '{}',
  });
  assert.equal(response.status, 503);
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  api.rules = [];
  assert.equal((await postEvent(url, hello)).status, 204);
});

test('1,000 events that are there at once for one parent cost at most five reconciles', async () => {
  const { promise: allArrived, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  running.on('request', () => {
    arrived += 1;
    if (arrived === 1000) resolve();
  });
  api.hold = allArrived;
  const answers = await Promise.all(Array.from({ length: 1000 }, () => postEvent(url, hello)));
  assert.deepEqual([...new Set(answers.map((one) => `${String(one.status)} ${one.body}`))], ['204 ']);
  const reconciles = api.seen.filter((call) => call === 'GET /apis/myorg.dev/v1/namespaces/shop/messages/hello').length;
  assert.ok(reconciles >= 2 && reconciles <= 5, `${String(reconciles)} reconciles`);
});
