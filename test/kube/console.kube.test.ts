import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { serveLogConsole } from '../../cli/console.ts';
import { consoleAssets } from '../../packages/console/index.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createReviewer } from '../../packages/controller/cluster/reviewer.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { serveLog } from '../../packages/event-log/test/api/serve-log.ts';
import { memoryLog } from '../../packages/event-log/test/store/memory-log.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { install, put } from './install.ts';
import { until } from './until.ts';

const api = apiFrom(testKubeconfig());
const namespace = `console-${process.pid}`;
const closers: (() => unknown)[] = [];
let upstream: string;
/** Milliseconds: what a review said is remembered for ten seconds of it. */
let now = 0;

before(async () => {
  await install(api);
  await put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const name of ['reader', 'other'])
    await put(api, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  const rbac = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'knudge-event-log-reader' };
  const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace }];
  const binding = { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name: namespace } };
  await put(api, { ...binding, roleRef, subjects });
  // The event log asks with its own account, as it is deployed.
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const authorization = `Bearer ${await tokenOf('event-log', 'knudge')}`;
  const credentials = async (renewed: boolean) => {
    const { cert, key, ...rest } = await access.credentials(renewed);
    return { ...rest, authorization };
  };
  const transport = createTransport({ access: { ...access, credentials }, version: 'test' });
  const { log } = memoryLog(() => 'works');
  const check = createReviewer(transport, () => now);
  const server = await serveLog({ log, check, files: consoleAssets, send: async () => undefined });
  closers.push(transport.close, server.close);
  upstream = server.url;
});
after(async () => {
  for (const close of closers.reverse()) await close();
});

async function tokenOf(account: string, home = namespace): Promise<string> {
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await api('POST', path, { body });
  assert.equal(answer.status, 201);
  return (answer.body as { status: { token: string } }).status.token;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly policy: string | null;
}

/** What a person with this token gets through `npx knudge console`, as a page that has opened its address. */
async function consoleOf(token: string): Promise<(path: string, body?: object) => Promise<Answered>> {
  const options = { dir: '.knudge', kubeconfig: testKubeconfig(), namespace: 'knudge', port: 0 };
  const forward = { url: () => upstream, token: async () => token, again: async () => undefined };
  const server = await serveLogConsole(forward, options);
  closers.push(server.close);
  const { origin, hash } = new URL(server.url());
  const json = { 'content-type': 'application/json' };
  const shown = { method: 'POST', headers: json, body: JSON.stringify({ token: hash.slice('#token='.length) }) };
  const cookie = (await fetch(`${origin}/console/session`, shown)).headers.get('set-cookie') ?? '';
  return async (path, body) => {
    const posted = body !== undefined && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/console/${path}`, { headers: { ...json, cookie }, ...posted });
    const policy = answer.headers.get('content-security-policy');
    return { status: answer.status, text: await answer.text(), policy };
  };
}

suite('the console of a cluster', () => {
  test('shows pages, events and the buttons to a person who has the ClusterRole', async () => {
    const ask = await consoleOf(await tokenOf('reader'));
    await until('the authorizer knows', async () => {
      now += 10_001;
      return (await ask('')).status === 200;
    });
    const page = await ask('');
    assert.match(page.text, /^<!doctype html>/i);
    assert.match(page.policy ?? '', /^default-src 'self';/);
    assert.equal((await ask('app.js')).status, 200);
    assert.deepEqual(JSON.parse((await ask('api/events')).text), { events: [] });
    const { may } = JSON.parse((await ask('api/may')).text) as { may: Record<string, { allowed: boolean }> };
    assert.ok(Object.values(may).every(({ allowed }) => allowed));
    assert.deepEqual(JSON.parse((await ask('api/replay', {})).text), { sent: 0, failed: 0 });
  });

  test('refuses a person who has no such right, and says which', async () => {
    const ask = await consoleOf(await tokenOf('other'));
    for (const [path, right] of [
      ['', 'get on the nonResourceURL /console'],
      ['api/events', 'get on the nonResourceURL /events'],
    ] as const) {
      const { status, text } = await ask(path);
      assert.equal(status, 403);
      assert.ok(text.includes(`this needs the verb ${right}:`), text);
    }
    assert.equal((await ask('api/replay', {})).status, 403);
    const { may } = JSON.parse((await ask('api/may')).text) as { may: Record<string, { allowed: boolean }> };
    assert.ok(Object.values(may).every(({ allowed }) => !allowed));
  });

  test('shows nothing for a token that the API server does not know', async () => {
    const ask = await consoleOf('nonsense');
    for (const path of ['', 'api/events', 'api/may']) assert.equal((await ask(path)).status, 401);
  });

  test('shows an object and its children as the cluster has them, in the columns of kubectl', async () => {
    const ask = await consoleOf(await tokenOf('other'));
    const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'now', namespace } };
    await put(api, { ...message, spec: { text: 'hello' } });
    const path = `/apis/myorg.dev/v1/namespaces/${namespace}/messages/now`;
    const { uid } = ((await api('GET', path)).body as { metadata: { uid: string } }).metadata;
    const status = { phase: 'Processed', podName: 'msg-now', conditions: [] };
    const changed = { contentType: 'application/merge-patch+json', body: { status } };
    assert.equal((await api('PATCH', `${path}/status`, changed)).status, 200);
    const metadata = { name: 'msg-now', namespace, labels: { 'knudge.dev/owner-uid': uid } };
    const spec = { containers: [{ name: 'prints', image: 'busybox' }], nodeName: 'none' };
    await put(api, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    const now = async (place: string): Promise<unknown> => JSON.parse((await ask(`api/objects/${place}/now`)).text);
    const pod = { Ready: '0/1', Status: 'Pending', Restarts: '0' };
    assert.deepEqual(await now(`Message/${namespace}/now`), {
      object: { kind: 'Message', namespace, name: 'now', shown: { Phase: 'Processed', Pod: 'msg-now' }, status },
      children: [{ kind: 'Pod', namespace, name: 'msg-now', shown: pod }],
      unread: [],
    });
    const alone = { object: { kind: 'Pod', namespace, name: 'msg-now', shown: pod }, children: [], unread: [] };
    assert.deepEqual(await now(`Pod/${namespace}/msg-now`), alone);
    assert.deepEqual(await now(`Message/${namespace}/gone`), { children: [], unread: [] });
    const { status: refused, text } = await ask('api/objects/Node/one/now');
    assert.equal(refused, 400);
    assert.match(text, /No source watches a kind Node: Claim, ConfigMap, /);
  });

  test('answers with the kubeconfig of the person what the event log cannot know', async () => {
    const ask = await consoleOf(await tokenOf('other'));
    const about = { involvedObject: { kind: 'Message', name: 'hello', namespace }, reason: 'Ready', message: 'ok' };
    const rest = { type: 'Normal', lastTimestamp: '2026-03-01T12:00:19Z' };
    const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'one', namespace }, ...about, ...rest };
    assert.equal((await api('POST', `/api/v1/namespaces/${namespace}/events`, { body: event })).status, 201);
    const happened = JSON.parse((await ask(`api/objects/Message/${namespace}/hello/events`)).text) as object;
    const note = { time: rest.lastTimestamp, type: 'Normal', reason: 'Ready', note: 'ok' };
    assert.deepEqual(happened, { events: [note] });
    const { functions } = JSON.parse((await ask('api/functions')).text) as { functions: { awake: number }[] };
    assert.ok(functions.length > 5 && functions.every(({ awake }) => awake === 0));
    assert.equal((await ask('api/map')).status, 200);
  });
});
