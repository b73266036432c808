import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../../test/house/files.ts';
import { servicesOfCuts } from '../../doctor/checks/former.ts';
import { ills, installAll, manifests, openCluster } from './cluster.ts';

const overlay = 'per-function';
const alone = readManifests({ root, overlay }).objects;
const ofCuts = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter(
    ({ apiVersion, metadata }) => apiVersion.startsWith('serving.') && servicesOfCuts.includes(metadata.name),
  );
const told = ({ metadata }: KubeObject): string =>
  `warning functions: Service knudge/${metadata.name} is left over from another way to deploy functions`;

test('both cuts together have every Service that the doctor knows of', () => {
  const names = [...ofCuts(manifests), ...ofCuts(alone)].map(({ metadata }) => metadata.name);
  assert.deepEqual(names.sort(), [...servicesOfCuts].sort());
});

for (const { name, before, after, more } of [
  { name: 'one Service for eight functions', before: alone, after: manifests, more: {} },
  { name: 'a Service for each', before: manifests, after: alone, more: { manifests: alone, overlay } },
] as const) {
  test(`who comes to ${name} is told of what is left, with what takes it away`, async (context) => {
    const cluster = await openCluster(context);
    await installAll(cluster, before);
    await installAll(cluster, after);
    const examined = await cluster.examine(more);
    assert.deepEqual([...ills(examined)].sort(), ofCuts(before).map(told).sort());
    for (const { todo } of examined.findings) {
      const [, left] =
        /^kubectl --namespace knudge delete services\.serving\.knative\.dev (\S+)$/.exec(todo ?? '') ?? [];
      const found = ofCuts(before).find(({ metadata }) => metadata.name === left);
      if (found !== undefined) await cluster.remove(found);
    }
    assert.deepEqual(ills(await cluster.examine(more)), []);
  });
}

test('what a Trigger still wakes is not left over', async (context) => {
  const cluster = await openCluster(context);
  await installAll(cluster, manifests);
  await installAll(cluster, alone);
  // As before an upgrade: this doctor wants another cut than the one that runs.
  const found = ills(await cluster.examine());
  assert.ok(!found.some((line) => line.includes('is left over')), found.join('\n'));
});
