import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCluster } from '../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import type { Tried } from '../../packages/controller/domain/delivery.ts';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { type Kind, namespace, objects, versionOf, works } from './heard-works.ts';
import { install } from './install.ts';
import { kubectl } from './kubectl.ts';
import '../../resources/managed/kinds.ts';

const paths: Readonly<Record<Kind, string>> = {
  ConfigMap: `/api/v1/namespaces/${namespace}/configmaps`,
  Service: `/api/v1/namespaces/${namespace}/services`,
  Deployment: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  Message: `/apis/myorg.dev/v1/namespaces/${namespace}/messages`,
};

/** What is heard of each request to write, under the writer's own names. */
async function listen(context: TestContext) {
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const cluster = createCluster({ access, version: 'test', instance: 'test', onLostNotice: () => undefined });
  context.after(() => cluster.close());
  const all: Tried[] = [];
  const writer = cluster.heard?.((tried) => all.push(tried));
  assert.ok(writer);
  const get = async (object: KubeObject): Promise<KubeObject> => {
    const found = await cluster.get(refOf(object));
    assert.ok(found, `${object.kind} ${object.metadata.name} is there`);
    return found;
  };
  return { writer, get, heard: () => all.splice(0) };
}

/**
 * Every version that the API server has made of such an object since the test began, and the last one if the object is gone. Of a
 * Deployment a controller writes the status: a version that differs from the one before in nothing else is not Knudge's.
 */
async function versionsOf(
  kind: Kind,
  since: string,
): Promise<{ readonly all: readonly string[]; readonly end: string }> {
  // By its name: the cluster puts a ConfigMap of its own into each new namespace.
  const query = `watch=1&fieldSelector=metadata.name%3Done&resourceVersion=${since}&timeoutSeconds=1`;
  const { stdout } = await kubectl('get', '--raw', `${paths[kind]}?${query}`);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const seen = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly object: Seen });
  const own = seen.filter(({ object }, index) => {
    const before = seen[index - 1]?.object;
    return kind !== 'Deployment' || before === undefined || textOf(before) !== textOf(object);
  });
  const versions = own.map(({ type, object }) => ({ type, version: versionOf(object).resourceVersion }));
  return {
    all: versions.map(({ version }) => version),
    end: versions.find(({ type }) => type === 'DELETED')?.version ?? 'it is still there',
  };
}

interface Seen extends KubeObject {
  readonly spec?: unknown;
}

const textOf = ({ metadata, spec }: Seen): string => JSON.stringify([metadata.deletionTimestamp, spec]);

async function sinceNow(kind: Kind): Promise<string> {
  const { body } = await apiFrom(testKubeconfig())('GET', paths[kind]);
  return (body as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion;
}

test('of each write exactly the versions that the API server has made are heard, and how many it was tried in vain', async (context) => {
  await install(apiFrom(testKubeconfig()));
  await kubectl('create', 'namespace', namespace);
  const { writer, get, heard } = await listen(context);
  for (const [sentence, [kind, work]] of Object.entries(works)) {
    await context.test(sentence, async () => {
      const since = await sinceNow(kind);
      const made = await writer.create(objects[kind]);
      const inVain = await work({ writer, made, live: () => get(made) });
      const all = heard();
      const { all: versions, end } = await versionsOf(kind, since);
      const written = all.filter((one) => one !== undefined);
      assert.deepEqual(
        written.map(({ resourceVersion }) => resourceVersion || end),
        versions,
      );
      assert.ok(written.every(({ uid }) => uid === made.metadata.uid));
      assert.equal(all.length - written.length, inVain);
    });
    await kubectl('delete', '--namespace', namespace, kind, 'one', '--ignore-not-found');
  }
});
