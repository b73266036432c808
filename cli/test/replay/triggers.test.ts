import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Outgoing } from '../../../packages/controller/domain/change.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { createApi, serveApi } from '../../../packages/kube-api/index.ts';
import { createCredentials, kubeconfigOf } from '../../../packages/mesh/cluster/credentials.ts';
import { manifests } from '../../manifests.ts';
import { plannersNow } from '../../replay/functions.ts';
import { triggersNow } from '../../replay/triggers.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import { newFolder } from '../log-folder.ts';

const event: Outgoing = {
  id: 'e-1',
  time: '2026-01-01T00:00:00Z',
  type: 'dev.knudge.resync.requested',
  source: '/s',
  extensions: { apiversion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' },
};
const trigger = {
  apiVersion: 'eventing.knative.dev/v1',
  kind: 'Trigger',
  namespace: 'knudge',
  name: 'message-changed',
};

/** A cluster with the Triggers of the files, and its kubeconfig. */
async function cluster(context: TestContext) {
  const api = createApi();
  api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'knudge' } });
  for (const object of manifests().objects) if (object.kind === 'Trigger') api.client.create(object);
  const credentials = await createCredentials();
  const { url, close } = await serveApi(api, { port: 0, ...credentials });
  context.after(async () => {
    await close();
    api.close();
  });
  const kubeconfig = join(newFolder(context), 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(url, credentials));
  const change = (spec: object): void => {
    const live = api.client.get(trigger) as KubeObject & { readonly spec: object };
    api.client.update({ ...live, spec: { ...live.spec, ...spec } } as KubeObject);
  };
  return { change, at: { dir: '.', kubeconfig, namespace: 'knudge' } };
}

test('a plan for a cluster asks the functions that its Triggers wake, also where somebody has changed one', async (context) => {
  const { change, at } = await cluster(context);
  assert.deepEqual(await plannersNow(at)(event), ['message-changed']);
  change({ broker: 'of-others' });
  assert.deepEqual(await plannersNow(at)(event), []);
  change({ broker: 'knudge', filters: [{ exact: { kind: 'Nobody' } }] });
  assert.deepEqual(await plannersNow(at)(event), []);
});

test('a Trigger that cannot be read is left out, and that is said once', async (context) => {
  const { change, at } = await cluster(context);
  change({ filters: [{ cesql: "kind = 'Message'" }] });
  const said: string[] = [];
  const now = triggersNow(at, (text) => void said.push(text));
  assert.equal((await now()).length, manifests().triggers.length - 1);
  assert.equal(await now(), await now(), 'it is asked once in five seconds');
  assert.match(said.join('\n'), /^Left out, so a plan lacks what it wakes: Trigger knudge\/message-changed: [^\n]*$/);
});

test('where the Triggers cannot be read those of the files say what an event wakes', async (context) => {
  const kubeconfig = join(newFolder(context), 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf('https://127.0.0.1:1', await createCredentials()));
  const said: string[] = [];
  const now = triggersNow({ dir: '.', kubeconfig, namespace: 'knudge' }, (text) => void said.push(text));
  assert.deepEqual(await now(), manifests().triggers);
  assert.match(said.join('\n'), /^The Triggers of the cluster cannot be read, so those of the files say [^\n]*$/);
});

test('a cluster without Knative has the Triggers of the files', async (context) => {
  const server = createServer((_, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const kubeconfig = join(newFolder(context), 'kubeconfig');
  const { port } = server.address() as AddressInfo;
  writeKubeconfig(kubeconfig, `http://127.0.0.1:${port}`);
  const said: string[] = [];
  const now = triggersNow({ dir: '.', kubeconfig, namespace: 'knudge' }, (text) => void said.push(text));
  assert.deepEqual([await now(), said], [manifests().triggers, []]);
});
