import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLog } from '../../../../cli/open-log.ts';
import { newFolder } from '../../../../cli/test/log-folder.ts';
import type { LogApiParts } from '../../../event-log/api/route.ts';
import { serveLog } from '../../../event-log/test/api/serve-log.ts';
import { memoryLog } from '../../../event-log/test/store/memory-log.ts';
import { takeForwards } from './take-forwards.ts';

const status = { conditions: [{ type: 'Ready', status: 'True' }] };
const containers = [
  { ports: [{ name: 'user-port', containerPort: 8080 }] },
  { ports: [{ name: 'queue-port', containerPort: 8012 }] },
];
const pods = [{ metadata: { namespace: 'knudge', name: 'event-log-1' }, spec: { containers }, status }];
const page = { order: 'newest-first', limit: 5 } as const;

interface Scene {
  readonly user?: object;
  readonly items?: readonly object[];
  /** Of the token that the API server gives; without one it gives none. */
  readonly given?: string;
}

/** An API server whose Pod of the log knows tokens by their names; the kubeconfig for it and what was asked. */
async function cluster(context: TestContext, { user = {}, items = pods, given }: Scene = {}) {
  const asked: string[] = [];
  const check: LogApiParts['check'] = async (token) => (token === 'good' ? 'allowed' : 'forbidden');
  const log = await serveLog({ log: memoryLog(() => 'works').log, send: async () => undefined, check });
  const api = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isToken = request.method === 'POST';
    const isMissing = isToken && given === undefined;
    const body = isToken ? { status: { token: given } } : { kind: 'PodList', items };
    response.writeHead(isMissing ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isMissing ? { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' } : body));
  });
  takeForwards(api, Number(new URL(log.url).port));
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  context.after(() => {
    log.close();
    api.close();
    api.closeAllConnections();
  });
  const kubeconfig = join(newFolder(context), 'kubeconfig');
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const named = { contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }], 'current-context': 'c' };
  const parts = { clusters: [{ name: 'c', cluster: { server } }], users: [{ name: 'c', user }] };
  writeFileSync(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...named, ...parts }));
  return { kubeconfig, asked, dir: '.', namespace: 'knudge' };
}

const tokenOf = (name: string) => `POST /api/v1/namespaces/knudge/serviceaccounts/${name}/token`;
const rows = [
  { name: 'the token of the kubeconfig', scene: { user: { token: 'good' } }, more: {}, requests: [] },
  { name: 'the token that is named', scene: { user: { token: 'weak' } }, more: { token: 'good' }, requests: [] },
  {
    name: 'one of the ServiceAccount for people, where the kubeconfig has none, once',
    scene: { given: 'good' },
    more: {},
    requests: [tokenOf('event-log-reader')],
  },
  {
    name: 'one of the ServiceAccount that is named',
    scene: { given: 'good', user: { token: 'weak' } },
    more: { serviceAccount: 'me' },
    requests: [tokenOf('me')],
  },
] as const;
for (const { name, scene, more, requests } of rows) {
  test(`the log of a cluster is shown ${name}`, async (context) => {
    const { asked, ...where } = await cluster(context, scene);
    const { log, title, close } = await openLog({ ...where, ...more });
    assert.deepEqual([await log.events({}, page), await log.gaps(page)], [[], []]);
    assert.equal(title, 'the event log of namespace knudge');
    await close();
    const [list, ...others] = asked;
    assert.match(
      list ?? '',
      /^GET \/api\/v1\/namespaces\/knudge\/pods\?.*labelSelector=serving.knative.dev%2Fservice%3Devent-log/,
    );
    assert.deepEqual(
      others.filter((one) => one.startsWith('POST')),
      requests,
    );
  });
}

test('a token that may not read is told in a sentence, and one that nobody gives', async (context) => {
  const weak = await openLog(await cluster(context, { user: { token: 'weak' } }));
  await assert.rejects(weak.log.events({}, page), { code: 'not-permitted', message: /nonResourceURL \/events/ });
  await weak.close();
  const none = await openLog(await cluster(context));
  await assert.rejects(none.log.events({}, page), { message: /a token of ServiceAccount knudge\/event-log-reader/ });
  await none.close();
});

test('a cluster in which no Pod of the log is ready is told in a sentence', async (context) => {
  await assert.rejects(openLog(await cluster(context, { items: [] })), {
    code: 'unavailable',
    message: /^Knative Service knudge\/event-log has no Pod that is ready/,
  });
});
