import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { objectsIn } from '../../../../test/kube/install.ts';
import { useExisting } from '../../cluster/existing.ts';

const objects = objectsIn('crds/messages.yaml');
const [v1, gone] = ['/apis/myorg.dev/v1', 404] as const;

/** A cluster that answers to paths with these bodies, and to others with 404; gives its kubeconfig. */
async function cluster(context: TestContext, answers: Readonly<Record<string, object | number>>): Promise<string> {
  const methods = new Set<string | undefined>();
  const server = createServer((request, response) => {
    methods.add(request.method);
    const answer = answers[request.url ?? ''] ?? gone;
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'number' ? '{}' : JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const file = kubeconfig(context, (server.address() as AddressInfo).port);
  context.after(() => {
    server.close();
    server.closeAllConnections();
    assert.deepEqual([...methods], ['GET'], 'nothing is written');
  });
  return file;
}

function kubeconfig(context: TestContext, port: number, server = `http://127.0.0.1:${port}`): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'kubeconfig');
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'c', user: {} }],
    }),
  );
  return file;
}

const options = { objects, version: '1' };
const version = { gitVersion: 'v1.35.4' };

test('a cluster with the CRDs is taken', async (context) => {
  const file = await cluster(context, { '/version': version, [v1]: { resources: [{ name: 'messages' }] } });
  assert.match((await useExisting(file, options)).server, /^http:\/\/127/);
});

for (const [name, answer] of [
  ['its group is not served', gone],
  ['its version serves something else', { resources: [{ name: 'letters' }] }],
  ['its version serves nothing', {}],
] as const) {
  test(`a missing CRD is named with what to do: ${name}`, async (context) => {
    const file = await cluster(context, { '/version': version, [v1]: answer });
    const message = 'The CRD messages.myorg.dev is not in this cluster: kubectl apply -k crds';
    await assert.rejects(useExisting(file, options), { message });
  });
}

test('a CRD that lacks one of its versions is named with it', async (context) => {
  const both = objectsIn('crds/distributedservices.yaml');
  const beta = '/apis/frp.io/v1beta1';
  const file = await cluster(context, {
    '/version': version,
    [beta]: { resources: [{ name: 'distributedservices' }] },
  });
  const message = 'The CRD distributedservices.frp.io is not in this cluster in version v1: kubectl apply -k crds';
  await assert.rejects(useExisting(file, { ...options, objects: both }), { message });
});

test('a cluster that refuses to tell is no missing CRD', async (context) => {
  const file = await cluster(context, { '/version': version, [v1]: 403 });
  await assert.rejects(useExisting(file, options), { code: 'not-permitted' });
});

test('a cluster that does not answer is told in one sentence', async (context) => {
  const file = kubeconfig(context, 1);
  await assert.rejects(useExisting(file, options), (error: Error) => {
    return error.message.startsWith(`The cluster of ${file} does not answer: `) && !error.message.includes('\n');
  });
});

test('a kubeconfig that does not exist is told in one sentence', async () => {
  const message = '/nowhere does not exist: name a kubeconfig that does';
  await assert.rejects(useExisting('/nowhere', options), { message });
});

for (const server of ['nonsense', 'localhost:6443']) {
  test(`a kubeconfig whose server is no address is told: ${server}`, async (context) => {
    const file = kubeconfig(context, 0, server);
    const message = `${file} names the server ${server}, which is not an address: an address begins with https://`;
    await assert.rejects(useExisting(file, options), { message });
  });
}
