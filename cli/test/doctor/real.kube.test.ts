import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { controller } from '../../../functions/table.ts';
import { createLook } from '../../../packages/controller/cluster/look.ts';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../../packages/controller/cluster/transport.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { guessedPlural } from '../../../packages/controller/domain/plural.ts';
import { apiFrom, testKubeconfig } from '../../../test/kube/api.ts';
import { install, objectsIn } from '../../../test/kube/install.ts';
import { until } from '../../../test/kube/until.ts';
import { examine } from '../../doctor/examine.ts';
import { appliedBy } from './advice.ts';
import { fileOf, ills, manifests } from './cluster.ts';

type Api = ReturnType<typeof apiFrom>;

let api: Api;
let transport: ReturnType<typeof createTransport>;
/** Of Knative, as plain resources. */
const definitions = objectsIn('packages/kube-api/fidelity/knative-crds.yaml');
const eventing = manifests.filter(
  ({ kind, metadata, apiVersion }) =>
    /^(eventing|sources)\.knative\.dev\//.test(apiVersion) ||
    (/^(Cluster)?Role|^ServiceAccount/.test(kind) &&
      /(cluster-objects|secret-references|source-adapters)$/.test(metadata.name)),
);

function pathOf({ apiVersion, kind, metadata }: KubeObject): string {
  const home = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}${home}/${guessedPlural(kind)}/${metadata.name}`;
}

async function put(object: KubeObject): Promise<void> {
  const query = { fieldManager: 'person', force: 'true' };
  const contentType = 'application/apply-patch+yaml';
  await until(`${object.kind} ${object.metadata.name} is there`, async () => {
    const { status, body } = await api('PATCH', pathOf(object), { body: object, query, contentType });
    return status < 300 || body;
  });
}

before(async () => {
  api = apiFrom(testKubeconfig());
  await install(api);
  for (const object of [...definitions, ...eventing]) await put(object);
  transport = createTransport({ access: await outsideCluster({ kubeconfig: testKubeconfig() }), version: '1' });
});
after(async () => {
  transport.close();
  for (const object of [...eventing, ...definitions].reverse()) await api('DELETE', pathOf(object));
});

const look = () =>
  examine({
    resources: controller.resources,
    checks: controller.checks,
    home: controller.name,
    look: createLook(transport),
    manifests,
    base: manifests,
    fileOf,
    namespace: 'knudge',
    now: Math.floor(transport.now() / 1000),
    reach: async () => undefined,
    countDeadLetters: async () => 0,
    askLog: async () => ({ trouble: undefined, gaps: [] }),
  });

test('the authorizer of a real API server says what the sources may read', async () => {
  const found = ills(await look());
  assert.deepEqual(
    found.filter((line) => /^\w+ (definitions|rights):|may not/.test(line)),
    [],
  );
  assert.ok(found.includes('problem brokers: Broker knudge/knudge is not ready'), found.join('\n'));
  assert.ok(found.some((line) => line.startsWith('problem functions: Service knudge/distributed-service is not ')));
});

const policy = (kind: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'knudge-claims' },
});

test('an admission policy or a binding that somebody took away is missed, and its file brings it back', async () => {
  const ofPolicies = async () => ills(await look()).filter((line) => / policies: /.test(line));
  assert.deepEqual(await ofPolicies(), []);
  const rows = [
    ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy knudge-claims has no binding that refuses'],
    ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicy knudge-claims is not there for namespace knudge'],
  ] as const;
  for (const [kind, told] of rows) {
    assert.equal((await api('DELETE', pathOf(policy(kind)))).status, 200);
    assert.deepEqual(await ofPolicies(), [`warning policies: ${told}`]);
    const todo = (await look()).findings.find(({ what }) => what === told)?.todo ?? '';
    assert.equal(todo, 'kubectl apply -f deploy/admission/claims.yaml');
    for (const object of appliedBy(todo)) await put(object);
    assert.deepEqual(await ofPolicies(), []);
  }
});

test('and what they may not read', async () => {
  const role = eventing.find(({ kind, metadata }) => kind === 'ClusterRole' && /cluster-objects$/.test(metadata.name));
  assert.ok(role);
  await put({ ...role, rules: [] } as KubeObject);
  // The authorizer hears of it by a watch.
  await until('it is refused', async () => {
    const found = ills(await look());
    return found.some((line) => /cluster-objects may not get .*pods/.test(line)) || found;
  });
});
