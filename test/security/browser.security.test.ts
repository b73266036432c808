import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, suite, test } from 'node:test';
import { apiFrom } from '../kube/api.ts';
import { until } from '../kube/until.ts';
import { type RunningMesh, startProcess } from '../mesh/running-mesh.ts';
import { rebound, whileShown } from './browser/chromium.ts';
import { type Entrance, type Goal, openEntrance, type Passed, type Tried } from './browser/entrance.ts';

const mark = 'from-a-page';
const json = { 'content-type': 'application/json' };
const configMaps = '/api/v1/namespaces/default/configmaps';
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: mark } };
const event = {
  'ce-specversion': '1.0',
  'ce-id': mark,
  'ce-source': '/page',
  'ce-type': 'dev.knative.apiserver.resource.add',
  'ce-kind': 'Message',
  'ce-apiversion': 'myorg.dev/v1',
  'ce-namespace': 'default',
  'ce-name': mark,
  ...json,
};

/** Takes everything from everybody: what a page can do here it was not kept from by the browser. */
const permissive = createServer((asked, response) => {
  const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  asked.resume().on('end', () => response.writeHead(200, open).end('read'));
});

/** With the type of JSON, of a text, of nothing, and of a form. */
const posts = ['application/json', 'text/plain;charset=UTF-8', 'untyped', 'text/plain'].map(
  (type) => `POST ${type}: 200`,
);

/** A server below an entrance: what is there to read, and what to send. */
const goalsAt = (base: string): readonly Goal[] => [
  { name: 'control', url: `${base}/to/control/` },
  { name: 'control', url: `${base}/to/control/`, body: '{}', headers: json },
  { name: 'api', url: `${base}/to/api/api/v1/secrets` },
  { name: 'api', url: `${base}/to/api${configMaps}`, body: JSON.stringify(object), headers: json },
  { name: 'broker', url: `${base}/to/broker/knudge/knudge`, body: '{}', headers: event },
  { name: 'function', url: `${base}/to/function/metrics` },
  { name: 'function', url: `${base}/to/function/`, body: '{}', headers: event },
  { name: 'log', url: `${base}/to/log/events` },
  { name: 'log', url: `${base}/to/log/event-recorded`, body: '{}', headers: event },
];
const servers = ['api', 'broker', 'function', 'log'];

suite('10: a page in a browser on this machine', () => {
  let mesh: RunningMesh;
  let log: string;
  let hostile: Entrance;
  let target: Entrance;
  before(async () => {
    await new Promise<void>((resolve) => permissive.listen(0, '127.0.0.1', resolve));
    mesh = await startProcess();
    const { apiServer, broker, functions } = mesh.state;
    log = functions['event-log'] ?? '';
    const targets = new Map([
      ['control', `http://127.0.0.1:${String((permissive.address() as AddressInfo).port)}`],
      ['api', apiServer],
      ['broker', new URL(broker).origin],
      ['function', functions['message-changed'] ?? ''],
      ['log', log],
    ]);
    hostile = await openEntrance(targets);
    target = await openEntrance(targets);
    await until('the log answers', async () => (await fetch(`${log}/events`)).ok, 60);
  });
  beforeEach(() => {
    target.passed.length = 0;
  });
  after(() => {
    permissive.close().closeAllConnections();
    hostile.close();
    target.close();
    mesh.remove();
  });

  for (const host of ['127.0.0.1', 'localhost', rebound]) {
    test(`of another origin at ${host} reads nothing and writes nothing, by fetch or form`, async () => {
      const tried = await tryFrom(hostile, host, goalsAt(`http://127.0.0.1:${target.port}`));
      assert.deepEqual(seen(tried), ['control read', 'control send']);
      await nothingWasDone();
    });
  }

  test('under a name that was bound anew is of the same origin, and reads and writes nothing either', async () => {
    const tried = await tryFrom(target, rebound, goalsAt(`http://${rebound}:${target.port}`));
    assert.deepEqual(new Set(seen(tried).map((one) => one.split(' ')[0])), new Set(['control']));
    await nothingWasDone();
  });

  test('of the same origin may ask as a program does: with the token of the API, and a type for what it sends', async () => {
    const tried = await tryFrom(target, '127.0.0.1', goalsAt(`http://127.0.0.1:${target.port}`));
    assert.ok(seen(tried).includes('log read'), seen(tried).join());
    assert.deepEqual(new Set(passedTo('api').map(({ status }) => status)), new Set([401, 415]));
    const untyped = servers.flatMap(passedTo).filter(({ method, type }) => method === 'POST' && type === undefined);
    assert.deepEqual(
      untyped.map(({ status }) => status),
      servers.map(() => 415),
    );
  });

  /** Shows the page of an entrance, and gives what it reports. Whatever it tries is taken by a server that takes everything. */
  async function tryFrom(entrance: Entrance, host: string, goals: readonly Goal[]): Promise<readonly Tried[]> {
    const tried = await whileShown(`http://${host}:${entrance.port}/`, () => entrance.ready(goals));
    const ways = goals.reduce((sum, { body }) => sum + (body === undefined ? 2 : 4), 0);
    assert.equal(tried.length, ways, 'the page ran to its end');
    const taken = passedTo('control').filter(({ method }) => method !== 'OPTIONS');
    assert.deepEqual(
      taken.map(({ method, type, status }) => `${method} ${type ?? 'untyped'}: ${status}`),
      ['GET untyped: 200', 'GET untyped: 200', ...posts],
    );
    return tried;
  }

  /** What the browser let the page see of answers that are no refusals. */
  function seen(tried: readonly Tried[]): readonly string[] {
    return tried.filter(({ status, text }) => status === 200 && text !== '').map(({ name, way }) => `${name} ${way}`);
  }

  function passedTo(name: string): readonly Passed[] {
    return target.passed.filter(({ to }) => to === name);
  }

  async function nothingWasDone(): Promise<void> {
    for (const name of servers) {
      assert.ok(passedTo(name).length >= 4, `${name}: ${JSON.stringify(passedTo(name))}`);
      assert.deepEqual(
        passedTo(name).filter(({ status }) => status !== 403),
        [],
      );
    }
    const { body } = await apiFrom(mesh.state.kubeconfig)('GET', `${configMaps}/${mark}`);
    assert.equal((body as { code: number }).code, 404);
    assert.deepEqual(await (await fetch(`${log}/events?id=${mark}`)).json(), { events: [] });
  }
});
