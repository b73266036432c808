import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bearerOf } from '../../../test/mesh/way-in.ts';
import { startMesh } from '../mesh.ts';
import type { MeshOptions } from '../mesh-parts.ts';

/** A folder of manifests that has only what a test writes, and a folder for the mesh. */
function options(context: TestContext, manifests: Readonly<Record<string, string>> = {}): MeshOptions {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(manifests)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { root, dir: join(root, 'mesh'), firstPort: 0, env: {}, version: '1', report: () => undefined };
}

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: knudge\n';
const broker = `apiVersion: eventing.knative.dev/v1
kind: Broker
metadata:
  name: main
  namespace: knudge
`;

test('it starts what the manifests ask for, says where, and leaves nothing but what it keeps', async (context) => {
  const given = options(context, { 'deploy/namespace.yaml': namespace, 'eventing/broker.yaml': broker });
  const mesh = await startMesh(given);
  assert.match(mesh.state.broker, /^http:\/\/127\.0\.0\.1:\d+\/knudge\/main$/);
  const url = `${mesh.state.apiServer}/api/v1/namespaces/knudge`;
  assert.equal((await fetch(url, { headers: bearerOf(mesh.state.kubeconfig) })).status, 200);
  assert.equal((await fetch(url)).status, 401);
  assert.ok(existsSync(mesh.state.kubeconfig));
  await mesh.close();
  assert.deepEqual(readdirSync(given.dir), ['broker']);
  await assert.rejects(fetch(mesh.state.apiServer));
});

test('without a Broker there is its ingress all the same', async (context) => {
  const mesh = await startMesh(options(context));
  assert.match(mesh.state.broker, /^http:\/\/127\.0\.0\.1:\d+$/);
  await mesh.close();
});

test('with a folder for data the objects are there again', async (context) => {
  const given = options(context, { 'deploy/namespace.yaml': namespace });
  const dataDir = join(given.root, 'data');
  const first = await startMesh({ ...given, dataDir });
  const metadata = { name: 'kept', namespace: 'knudge' };
  await first.apply?.([{ apiVersion: 'v1', kind: 'ConfigMap', metadata }]);
  await first.close();
  const second = await startMesh({ ...given, dataDir });
  const url = `${second.state.apiServer}/api/v1/namespaces/knudge/configmaps/kept`;
  const kept = await fetch(url, { headers: bearerOf(second.state.kubeconfig) });
  await second.close();
  assert.equal(kept.status, 200);
});

test('a second mesh in the same folder is refused, and takes nothing from the first', async (context) => {
  const given = options(context);
  mkdirSync(given.dir);
  writeFileSync(join(given.dir, 'mesh.pid'), String(process.ppid));
  await assert.rejects(startMesh(given), /^KnudgeError: A mesh runs in /);
  assert.deepEqual(readdirSync(given.dir), ['mesh.pid']);
});

test('a port in use is told, and nothing stays behind', async (context) => {
  const server = createServer();
  context.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const given = options(context);
  await assert.rejects(startMesh({ ...given, firstPort: port }), { message: new RegExp(`^Port ${port} is in use: `) });
  assert.deepEqual(readdirSync(given.dir), []);
});

test('an invalid manifest is told with its file, line and field, before anything starts', async (context) => {
  const given = options(context, { 'eventing/broker.yaml': `${broker}spec:\n  delivery:\n    retry: many\n` });
  await assert.rejects(startMesh(given), { message: /^eventing\/broker\.yaml:8: spec\.delivery\.retry: / });
  assert.equal(existsSync(given.dir), false);
});

const invalid = [
  {
    name: 'with the line of the field',
    text: namespace.replace('knudge', 'No_Name'),
    says: /^deploy\/object\.yaml:4: apply of Namespace No_Name: .* is invalid: metadata\.name: /,
  },
  {
    name: 'with that of its name where no field is told',
    text: namespace.replace('Namespace', 'Namespaze'),
    says: /^deploy\/object\.yaml:4: apply of Namespaze knudge: the server could not find the requested resource$/,
  },
] as const;

for (const { name, text, says } of invalid) {
  test(`what the API server refuses is told with its file, ${name}`, async (context) => {
    const given = options(context, { 'deploy/object.yaml': text });
    await assert.rejects(startMesh(given), { code: 'misuse', message: says });
    assert.deepEqual(readdirSync(given.dir), []);
  });
}

test('a kubeconfig that somebody else wrote is left alone', async (context) => {
  const given = options(context);
  mkdirSync(given.dir);
  const file = join(given.dir, 'kubeconfig');
  writeFileSync(file, 'apiVersion: v1\nkind: Config\ncurrent-context: mine\n');
  await assert.rejects(startMesh(given), {
    message: `${file} was not written by a mesh, so it is kept: name another --dir`,
  });
  assert.deepEqual(readdirSync(given.dir), ['kubeconfig']);
});

test('one that a killed mesh left is written over', async (context) => {
  const given = options(context);
  const mesh = await startMesh(given);
  const left = readFileSync(mesh.state.kubeconfig, 'utf8');
  await mesh.close();
  writeFileSync(mesh.state.kubeconfig, left);
  const next = await startMesh(given);
  await next.close();
  assert.deepEqual(readdirSync(given.dir), ['broker']);
});

test('two meshes do not share what they keep', async (context) => {
  const given = options(context);
  const dataDir = join(given.root, 'data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'mesh.pid'), String(process.ppid));
  const message = `A mesh runs in ${dataDir} already (process ${process.ppid}): stop it or name another --data`;
  await assert.rejects(startMesh({ ...given, dataDir }), { message });
  assert.deepEqual(readdirSync(given.dir), []);
});

test('objects that cannot be read are told with their folder', async (context) => {
  const given = options(context);
  const dataDir = join(given.root, 'data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'objects.sqlite'), 'no database '.repeat(100));
  const message = `The objects in ${dataDir} cannot be read (file is not a database): name another --data`;
  await assert.rejects(startMesh({ ...given, dataDir }), { message });
  assert.deepEqual(readdirSync(dataDir), ['objects.sqlite']);
});
