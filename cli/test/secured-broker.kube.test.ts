import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiFrom, testKubeconfig } from '../../test/kube/api.ts';
import { objectsIn, put } from '../../test/kube/install.ts';
import { runIn } from './knudge.ts';
import { newFolder } from './log-folder.ts';
import { inFrontOf, securedBroker } from './secured-cluster.ts';

/** As Knative names it in the status of this Broker. */
const audience = 'eventing.knative.dev/broker/knudge/knudge';
/** As tools/control-plane starts the API server. */
const issuer = 'https://kubernetes.default.svc.cluster.local';

interface PolicyParts {
  readonly kind: string;
  readonly spec: { readonly from: readonly { readonly sub?: string }[] };
}

/** Who may send, as the overlay says it. */
const subjects = (
  objectsIn('deploy/overlays/secure/event-policies.yaml') as readonly unknown[] as readonly PolicyParts[]
)
  .flatMap(({ spec }) => spec.from)
  .flatMap(({ sub }) => sub ?? []);

const kubeconfig = testKubeconfig();
const api = apiFrom(kubeconfig);
const home = 'knudge';
const person = 'person-who-sends';
const metadata = { name: person, namespace: home };
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata,
  rules: [
    { apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: ['first-resync'], verbs: ['create'] },
  ],
};
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: person },
  subjects: [{ kind: 'ServiceAccount', ...metadata }],
};
let token: string;

before(async () => {
  for (const object of objectsIn('deploy/base/namespace.yaml')) await put(api, object);
  const accounts = objectsIn('deploy/first-resync/job.yaml').filter(({ kind }) => kind === 'ServiceAccount');
  assert.equal(accounts.length, 1);
  for (const account of accounts) await put(api, account);
  await put(api, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await put(api, role);
  await put(api, binding);
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${person}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await api('POST', path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  ({ token } = (answer.body as { status: { token: string } }).status);
});
after(async () => {
  const group = `/apis/rbac.authorization.k8s.io/v1/namespaces/${home}`;
  for (const path of [
    `${group}/rolebindings/${person}`,
    `${group}/roles/${person}`,
    `/api/v1/namespaces/${home}/serviceaccounts/${person}`,
  ])
    await api('DELETE', path);
});

async function run(file: string, dir: string, ...args: readonly string[]) {
  return runIn(dir, [...args, '--kubeconfig', file]).ended;
}

function claimsOf(authorization: string | undefined) {
  const [, claims = ''] = authorization?.split('.') ?? [];
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

test('a Broker that asks for tokens is shown one for it alone, of a ServiceAccount that may send and nothing else', async (t) => {
  assert.ok(subjects.length > 0);
  const broker = await securedBroker(t, kubeconfig, { issuer, audience, subjects });
  const file = await inFrontOf(t, kubeconfig, { token, pod: broker.port, audience });
  const dir = newFolder(t);
  const ran = [await run(file, dir, 'resync'), await run(file, dir, 'reconcile', 'msg', 'default/hello')];
  assert.deepEqual(
    ran.map(({ code, said }) => [code, said]),
    [
      [0, ''],
      [0, ''],
    ],
  );
  assert.deepEqual(
    broker.taken.map(({ type }) => type),
    ['dev.knudge.resync.due', 'dev.knudge.resync.requested'],
  );
  for (const { authorization } of broker.taken) {
    const { aud, sub, exp, iat } = claimsOf(authorization);
    assert.deepEqual([aud, sub], [[audience], 'system:serviceaccount:knudge:first-resync']);
    assert.ok(Number(exp) - Number(iat) <= 600, 'it lives no longer than it must');
    const [, , signature = 'none'] = authorization?.split('.') ?? [];
    assert.ok(
      ran.every(({ out, said }) => !`${out}${said}`.includes(signature)),
      'it is printed nowhere',
    );
  }
});

test('a Broker that asks for none is shown none', async (t) => {
  const broker = await securedBroker(t, kubeconfig, { issuer, audience, subjects });
  const file = await inFrontOf(t, kubeconfig, { token, pod: broker.port });
  const { code, said } = await run(file, newFolder(t), 'resync');
  assert.match(said, /answered 401 to an event: it asks for a token, and was shown none, see "Tokens for events"/);
  assert.equal(code, 1);
});

const refusals = [
  {
    name: 'for another audience',
    trusted: { issuer, audience: `${audience}/other`, subjects },
    says: /as ServiceAccount knudge\/first-resync: the Broker answered 401 to an event: it does not take the token/,
  },
  {
    name: 'of a ServiceAccount that no EventPolicy names',
    trusted: { issuer, audience, subjects: subjects.filter((subject) => !subject.endsWith(':first-resync')) },
    says: /as ServiceAccount knudge\/first-resync: the Broker answered 403 to an event: no EventPolicy of it lets this sender in/,
  },
] as const;
for (const { name, trusted, says } of refusals) {
  test(`a token ${name} is refused, and what to do is told`, async (t) => {
    const broker = await securedBroker(t, kubeconfig, trusted);
    const file = await inFrontOf(t, kubeconfig, { token, pod: broker.port, audience });
    const { code, said } = await run(file, newFolder(t), 'resync');
    assert.match(said, says);
    assert.deepEqual([code, broker.taken], [1, []]);
  });
}

test('who may not make that token is told which right is missing', async (t) => {
  await api('DELETE', `/apis/rbac.authorization.k8s.io/v1/namespaces/${home}/rolebindings/${person}`);
  t.after(() => put(api, binding));
  const broker = await securedBroker(t, kubeconfig, { issuer, audience, subjects });
  const file = await inFrontOf(t, kubeconfig, { token, pod: broker.port, audience });
  const { code, said } = await run(file, newFolder(t), 'resync');
  assert.match(
    said,
    /the right to create serviceaccounts\/token of first-resync in namespace knudge is missing, see docs\/install\.md/,
  );
  assert.deepEqual([code, broker.taken], [1, []]);
});
