import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { controller } from '../../../functions/table.ts';
import { createLook } from '../../../packages/controller/cluster/look.ts';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../../packages/controller/cluster/transport.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../../test/house/files.ts';
import { apiFrom, testKubeconfig } from '../../../test/kube/api.ts';
import { pathOf } from '../../../test/kube/install.ts';
import { installRights, singleNamespace } from '../../../test/kube/single-namespace.ts';
import { until } from '../../../test/kube/until.ts';
import { examine } from '../../doctor/examine.ts';
import { ills } from './cluster.ts';

const overlay = 'single-namespace';
const namespace = `doctor-${randomUUID().slice(0, 8)}`;
const api = apiFrom(testKubeconfig());
const { objects: manifests } = readManifests({ root, overlay });
const { objects: base, fileOf } = readManifests({ root });
let transport: ReturnType<typeof createTransport>;

before(async () => {
  await installRights(api, await singleNamespace(namespace));
  transport = createTransport({ access: await outsideCluster({ kubeconfig: testKubeconfig() }), version: '1' });
});
after(() => transport.close());

/** What is wrong with rights: nothing of Knative is there. What other tests of this API server leave is theirs. */
async function wrong(): Promise<readonly string[]> {
  const examined = await examine({
    resources: controller.resources,
    checks: controller.checks,
    home: controller.name,
    look: createLook(transport),
    namespace,
    manifests,
    base,
    fileOf,
    overlay,
    now: Math.floor(transport.now() / 1000),
    reach: async () => undefined,
    countDeadLetters: async () => 0,
    askLog: async () => ({ trouble: undefined, gaps: [] }),
  });
  return ills(examined).filter((line) => /^\w+ rights:|may not/.test(line) && !/ is left over /.test(line));
}

const binding = (name: string) =>
  pathOf('rbac.authorization.k8s.io/v1', 'RoleBinding', { namespace, name: `knudge-${name}` });

test('on a real API server nothing is wrong with the Roles of the overlay, in a namespace of another name', async () => {
  await until('the authorizer knows them', async () => {
    const found = await wrong();
    return found.length === 0 || found;
  });
});

test('and what is taken away is found', async () => {
  for (const name of ['message', 'cluster-objects']) await api('DELETE', binding(name));
  await until('the authorizer knows', async () => (await wrong()).length === 2 || (await wrong()));
  const [source = '', right = ''] = await wrong();
  assert.match(source, new RegExp(`^problem sources: ServiceAccount ${namespace}/cluster-objects may not get `));
  assert.match(
    right,
    new RegExp(
      `ServiceAccount ${namespace}/message may not in namespace ${namespace}: .*, since RoleBinding ${namespace}/knudge-message is not there$`,
    ),
  );
});
