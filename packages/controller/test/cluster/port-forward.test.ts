import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { forwardBroker } from '../../../../cli/cluster/forward-broker.ts';
import { brokerObjects } from './broker-objects.ts';
import { listen } from './listen.ts';
import { takeForwards } from './take-forwards.ts';

const objects = brokerObjects();

/** An API server with these objects, whose Pods are this port or say this; gives what forwards to the Broker in it. */
async function broker(context: TestContext, pod: number | string | undefined, known = objects) {
  const api = createServer((request, response) => {
    const found = known[request.url?.split('?')[0] ?? ''];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  if (pod !== undefined) takeForwards(api, pod);
  const server = `http://127.0.0.1:${await listen(context, api)}`;
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const kubeconfig = join(dir, 'kubeconfig');
  const contexts = [{ name: 'c', context: { cluster: 'c', user: 'c' } }];
  const clusters = [{ name: 'c', cluster: { server } }];
  const users = [{ name: 'c', user: {} }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', contexts, clusters, users }),
  );
  const forward = await forwardBroker({ kubeconfig, namespace: 'knudge', name: 'knudge', version: '1' });
  context.after(forward.close);
  return forward;
}

test('a Broker whose status has an audience is to be shown a token, and no other is', async (context) => {
  const tokens = { '/api/v1/namespaces/knudge/serviceaccounts/first-resync/token': { status: { token: 't' } } };
  const { sender } = await broker(context, undefined, { ...brokerObjects('the-broker'), ...tokens });
  assert.deepEqual([sender?.name, await sender?.token()], ['ServiceAccount knudge/first-resync', 't']);
  assert.equal((await broker(context, undefined)).sender, undefined);
});

test('what is sent to the forwarded port arrives in the Pod, and its answer here', async (context) => {
  const asked: string[] = [];
  const pod = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(`${request.method} ${request.url} ${body.length}`);
      response.writeHead(202).end('y'.repeat(3000));
    });
  });
  const forward = await broker(context, await listen(context, pod));
  assert.match(forward.url, /^http:\/\/127\.0\.0\.1:\d+\/knudge\/knudge$/);
  for (const body of ['x', 'x'.repeat(9000)]) {
    const answer = await fetch(forward.url, { method: 'POST', body });
    assert.equal(answer.status, 202);
    assert.equal((await answer.text()).length, 3000);
  }
  assert.deepEqual(asked, ['POST /knudge/knudge 1', 'POST /knudge/knudge 9000']);
  assert.equal(forward.said(), undefined);
});

const refusals = [
  {
    name: 'the kubelet finds nobody at the port',
    pod: 'connect: connection refused',
    says: /^connect: connection refused$/,
  },
  {
    name: 'the API server lets nobody forward',
    pod: undefined,
    says: /^port-forward to Pod knative-eventing\/ingress-1: .*404/,
  },
];
for (const { name, pod, says } of refusals) {
  test(`the connection ends and the reason is kept: ${name}`, async (context) => {
    const forward = await broker(context, pod);
    await assert.rejects(fetch(forward.url, { method: 'POST', body: 'x' }));
    assert.match(forward.said() ?? '', says);
  });
}

test('a cluster without the Broker is told in a sentence', async (context) => {
  await assert.rejects(broker(context, undefined, {}), {
    code: 'unavailable',
    message: /there is no Broker knudge\/knudge/,
  });
});

test('a Service that is gone is told in a sentence', async (context) => {
  const { '/api/v1/namespaces/knative-eventing/services/broker-ingress': _, ...others } = objects;
  await assert.rejects(broker(context, undefined, others), {
    message: /no Service knative-eventing\/broker-ingress in/,
  });
});
