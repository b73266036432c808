import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { aloneStems as stems } from '../build/stems.ts';
import { filesOf, textOf } from '../house/files.ts';
import { workOnMessages, workOnServices } from './all-work.ts';
import { type Arena, openArena } from './arena.ts';
import { type Broker, startBroker } from './broker.ts';
import { objectsIn } from './install.ts';
import { postRecorded } from './post.ts';
import { until } from './until.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

let arena: Arena;
let broker: Broker;
const user = (stem: Stem): string => `system:serviceaccount:knudge:${stem}`;

/** Other tests take permissions away, and use the same names. */
let since: string;

before(async () => {
  since = new Date().toISOString();
  // Without a source: each function does all of the work alone, so that its own Role is what counts.
  broker = await startBroker();
  arena = await openArena({ withSource: false, env: { K_SINK: broker.url } });
});
after(async () => {
  await arena.close();
  broker.close();
});

function granted(stem: Stem): readonly string[] {
  const roles = objectsIn(`deploy/functions/${stem}.yaml`).filter(
    ({ kind }) => kind === 'ClusterRole' || kind === 'Role',
  ) as (KubeObject & { rules: Rule[] })[];
  const rules = roles.flatMap((role) => role.rules);
  return rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    )
    .filter((permission) => !byAdmissionOnly.has(permission))
    .sort();
}

/** Asked of the authorizer beside a request, such as by the admission plugin OwnerReferencesPermissionEnforcement: no request of ours. */
const byAdmissionOnly = new Set([
  'update frp.io/distributedservices/finalizers',
  'update myorg.dev/messages/finalizers',
  // An apply that makes an object is a patch in the log; the authorizer is asked for both.
  'create coordination.k8s.io/leases',
]);

interface Audited {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly apiGroup?: string; readonly resource: string; readonly subresource?: string };
  readonly requestReceivedTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

function audited(stem: Stem): readonly Audited[] {
  const path = process.env['KNUDGE_TEST_AUDIT_LOG'];
  assert.ok(
    path,
    'KNUDGE_TEST_AUDIT_LOG is not set: this test reads the log of the API server, so use `npm run test:kube`',
  );
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(user(stem)));
  const calls = lines.map((line) => JSON.parse(line) as Audited);
  return calls.filter(
    ({ user: who, stage, objectRef, requestReceivedTimestamp }) =>
      who.username === user(stem) &&
      stage === 'ResponseComplete' &&
      objectRef !== undefined &&
      requestReceivedTimestamp >= since,
  );
}

/** Refused by the authorizer, not by a quota or because a namespace ends. */
function isForbidden({ annotations = {} }: Audited): boolean {
  return annotations['authorization.k8s.io/decision'] === 'forbid';
}

function used(stem: Stem): readonly string[] {
  const calls = audited(stem).map(({ verb, objectRef }) => {
    const { apiGroup = '', resource = '', subresource } = objectRef ?? {};
    return `${verb} ${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  });
  return [...new Set(calls)].sort();
}

/** Each question of an FRP server about a service that is not there: what is read is the same. */
async function askAsServer(arena: Arena): Promise<void> {
  for (const path of filesOf('test/fixtures/questions/frp-gate', '.json')) {
    const {
      headers,
      body,
      path: asked,
    } = JSON.parse(textOf(path)) as { headers: Record<string, string>; body: unknown; path: string };
    const url = new URL(asked, arena.functions.of('frp-gate').url);
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.match(await answer.text(), /no living service has this identity/);
  }
}

/** The first resync makes the Lease that the others renew, and a scrape reads it; an orphan is told. */
async function resyncFromNothing(arena: Arena): Promise<void> {
  const labels = { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': 'gone' };
  const metadata = { name: 'orphan', namespace: await arena.namespace('rbac'), labels };
  await arena.put({ apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None' } } as KubeObject);
  await arena.api('DELETE', '/apis/coordination.k8s.io/v1/namespaces/knudge/leases/knudge-resync');
  const scrape = async () => (await fetch(`${arena.functions.of('resync-due').url}/metrics`)).text();
  assert.equal((await postRecorded(arena, 'resync-due', 'pingsource-through-broker')).status, 204);
  assert.match(await scrape(), /^knudge_seconds_since_resync\{\} \d+$/m);
}

/** Everything that it can be made to do. */
async function workOf(stem: (typeof stems)[number]): Promise<void> {
  if (stem === 'resync-due') await resyncFromNothing(arena);
  else if (stem === 'frp-gate') await askAsServer(arena);
  else if (stem !== 'message-changed') await workOnServices(stem, arena);
  if (stem === 'message-changed' || stem === 'pod-changed') await workOnMessages(stem, arena);
}

for (const stem of stems) {
  test(`${stem} uses every permission that it is granted, and no other`, { timeout: 120_000 }, async () => {
    await workOf(stem);
    await until(
      'the log of the API server has it all',
      async () => audited(stem).length > 0 || granted(stem).length === 0,
    );
    assert.deepEqual(audited(stem).filter(isForbidden), []);
    assert.deepEqual(used(stem), granted(stem));
  });
}

const unneeded = [
  'delete messages',
  'create namespaces',
  'list secrets',
  'watch pods',
  'create pods/exec',
  'update distributedservices',
  'escalate clusterroles',
  'impersonate users',
];
for (const stem of stems) {
  test(`${stem} may not: ${unneeded.join(', ')}`, async () => {
    for (const what of unneeded) {
      const [verb = '', resource = ''] = what.split(' ');
      const [name = '', subresource = ''] = resource.split('/');
      const groups: Readonly<Record<string, string>> = {
        messages: 'myorg.dev',
        distributedservices: 'frp.io',
        clusterroles: 'rbac.authorization.k8s.io',
      };
      const spec = {
        user: user(stem),
        groups: ['system:serviceaccounts'],
        resourceAttributes: { namespace: 'default', verb, group: groups[name] ?? '', resource: name, subresource },
      };
      const { body } = await arena.api('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
      });
      assert.equal((body as { status: { allowed: boolean } }).status.allowed, false, what);
    }
  });
}
