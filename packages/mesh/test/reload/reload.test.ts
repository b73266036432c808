import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/kube/until.ts';
import { bearerOf } from '../../../../test/mesh/way-in.ts';
import type { Hop } from '../../hop.ts';
import { startMesh } from '../../mesh.ts';
import { readStatus } from '../../status-file.ts';

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: knudge\n';
const broker = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata:\n  name: main\n  namespace: knudge\n';
const trigger = (uri: string, more = '') => `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: all
  namespace: knudge
spec:
  broker: main${more}
  subscriber:
    uri: ${uri}
`;
const definition = (name: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Shop, plural: shops, singular: shop, shortNames: [${name}] }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
`;

/** A mesh that reloads, with a subscriber that counts, and a way to write its files and its API. */
async function open(context: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  const save = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  save('deploy/namespace.yaml', namespace);
  save('eventing/broker.yaml', broker);
  save('crds/shops.yaml', definition('sh'));
  save('functions/table.ts', 'export const functions = { };');
  const paths: (string | undefined)[] = [];
  const server = createServer((request, answer) => {
    paths.push(request.url);
    answer.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hops: Hop[] = [];
  const given = { root, dir: join(root, '.knudge'), firstPort: 0, env: {}, version: '1' };
  const mesh = await startMesh({ ...given, reload: true, report: (hop) => hops.push(hop) });
  context.after(async () => {
    await mesh.close();
    server.close();
    server.closeAllConnections();
    rmSync(root, { recursive: true });
  });
  const headers = { 'ce-specversion': '1.0', 'ce-type': 't', 'ce-source': 's' };
  return {
    root,
    hops,
    save,
    paths,
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    post: () => fetch(mesh.state.broker, { method: 'POST', headers: { ...headers, 'ce-id': randomUUID() } }),
    api: async (method: string, path: string, body?: string) => {
      const type = body === undefined ? {} : { 'content-type': 'application/apply-patch+yaml' };
      const all = { ...bearerOf(mesh.state.kubeconfig), ...type };
      const url = `${mesh.state.apiServer}${path}`;
      const answer = await fetch(url, { method, headers: all, ...(body !== undefined && { body }) });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return text;
    },
    reloaded: (what: string) => until(what, async () => textsOf(hops).includes(what) || textsOf(hops)),
  };
}

function textsOf(hops: readonly Hop[]): readonly string[] {
  return hops.flatMap((hop) => {
    if (hop.kind === 'reloaded') return [hop.what];
    return hop.kind === 'warning' ? [`${hop.about}: ${hop.text}`] : [];
  });
}

const triggers = '/apis/eventing.knative.dev/v1/namespaces/knudge/triggers';

test('a Trigger that is applied and deleted in the API takes effect, and a wrong one is reported', async (context) => {
  const { root, api, reloaded, post, paths, uri } = await open(context);
  await post();
  assert.deepEqual(paths, []);
  const query = '?fieldManager=kubectl&force=true';
  await api('PATCH', `${triggers}/all${query}`, trigger(`${uri}/one`));
  await reloaded('Trigger knudge/all is new');
  await post();
  assert.deepEqual(paths, ['/one']);
  await until('ready', async () => (await api('GET', `${triggers}/all`)).includes('"type":"Ready"'));
  await api('PATCH', `${triggers}/all${query}`, trigger(`${uri}/two`));
  await reloaded('Trigger knudge/all has changed');
  await post();
  assert.deepEqual(paths, ['/one', '/two']);
  const said = readStatus(join(root, '.knudge')).triggers?.map(({ subscriber }) => subscriber);
  assert.deepEqual(said, [{ kind: 'uri', uri: `${uri}/two` }]);
  const wrong = trigger(uri).replace('name: all', 'name: wrong').replace('broker: main', 'broker: other');
  await api('PATCH', `${triggers}/wrong${query}`, wrong);
  await reloaded('not followed: Trigger knudge/wrong: spec.broker: there is no Broker knudge/other');
  await api('DELETE', `${triggers}/all`);
  await reloaded('Trigger knudge/all is gone');
  await post();
  assert.deepEqual(paths, ['/one', '/two']);
});

test('the file of a Trigger takes effect when it is made, changed, wrong and deleted', async (context) => {
  const { root, save, reloaded, post, paths, uri, hops } = await open(context);
  save('eventing/triggers/all.yaml', trigger(`${uri}/one`));
  await reloaded('Trigger knudge/all is new');
  await post();
  save('eventing/triggers/all.yaml', 'kind: [');
  const isWarned = async () => textsOf(hops).some((one) => one.startsWith('eventing/triggers/all.yaml: '));
  await until('warned', isWarned);
  await post();
  assert.deepEqual(paths, ['/one', '/one'], 'all stays as it was');
  save('eventing/triggers/all.yaml', trigger(`${uri}/two`));
  await reloaded('Trigger knudge/all has changed');
  rmSync(join(root, 'eventing/triggers/all.yaml'));
  await reloaded('Trigger knudge/all is gone');
});

test('a changed CRD is applied, a changed Broker waits for the next start, and code renews the functions', async (context) => {
  const { save, api, reloaded } = await open(context);
  save('crds/shops.yaml', definition('store'));
  await reloaded('CustomResourceDefinition shops.example.com is applied');
  assert.match(await api('GET', '/apis/example.com/v1'), /"shortNames":\["store"\]/);
  save('eventing/broker.yaml', `${broker}spec:\n  delivery:\n    retry: 3\n`);
  await reloaded('Broker knudge/main: restart npm start to have this Broker as its file says now');
});

const service = (idle: number) => `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: greet
  namespace: knudge
spec:
  template:
    metadata: { annotations: { autoscaling.knative.dev/window: ${idle}s } }
    spec: { containers: [{ image: greet }] }
`;

test('a changed Knative Service and a changed list of functions need another start, and the mesh says so', async (context) => {
  const { root, save, reloaded } = await open(context);
  const says = 'Service knudge/greet: restart npm start to run the function as its file says now';
  save('deploy/functions/greet.yaml', service(60));
  await reloaded(says);
  rmSync(join(root, 'deploy/functions/greet.yaml'));
  await reloaded(says);
  save('functions/table.ts', 'export const functions = {};');
  await reloaded('functions/table.ts: restart npm start if a row is new or gone: each row is read at the start');
});

test('an object that the API refuses holds up no other, and is applied with the next save that it takes', async (context) => {
  const { root, save, reloaded, uri, hops, api } = await open(context);
  save('eventing/triggers/old.yaml', trigger(`${uri}/old`).replace('name: all', 'name: old'));
  await reloaded('Trigger knudge/old is new');
  save('crds/shops.yaml', definition('shop').replace('type: object', 'type: nothing'));
  save('eventing/triggers/all.yaml', trigger(`${uri}/one`));
  rmSync(join(root, 'eventing/triggers/old.yaml'));
  await until('refused', async () => {
    const texts = textsOf(hops);
    return texts.some((one) => /crds\/shops\.yaml.*it stays as it was until it is right/.test(one)) || texts;
  });
  await reloaded('Trigger knudge/all is new');
  await reloaded('Trigger knudge/old is gone');
  save('crds/shops.yaml', definition('store'));
  await reloaded('CustomResourceDefinition shops.example.com is applied');
  assert.match(await api('GET', '/apis/example.com/v1'), /"shortNames":\["store"\]/);
});

test('an object that was refused is applied again though its file is as it was before', async (context) => {
  const { save, reloaded, hops } = await open(context);
  const shop = 'apiVersion: example.com/v1\nkind: Shop\nmetadata:\n  name: one\n  namespace: later\n';
  save('deploy/shop.yaml', shop);
  await until('refused', async () => textsOf(hops).some((one) => one.includes('it stays as it was')) || textsOf(hops));
  save('deploy/later.yaml', namespace.replace('name: knudge', 'name: later'));
  await reloaded('Shop later/one is applied');
});
