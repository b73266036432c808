import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import { describe, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { type ParentPlan, targetOf } from '../../packages/controller/domain/plan.ts';
import { plannedWrites } from '../../packages/event-log/replay/planned-changes.ts';
import { message as build, distributedService, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';
import { auditMark, writesSince } from './writes.ts';

let arena: Arena;
let namespace: string;

before(async () => {
  arena = await openArena({ withSource: false });
  namespace = await arena.namespace('planned');
});
after(() => arena.close());

type Content = KubeObject & { readonly spec?: object; readonly data?: object; readonly status?: object };

/** The plan of a function for an object. */
async function planOf(stem: Stem, about: KubeObject): Promise<ParentPlan> {
  const { status, body } = await postEvent(arena.functions.of(stem).url, about, { query: '?dryRun=All' });
  assert.equal(status, 200, body);
  const [plan] = (JSON.parse(body) as { readonly plans: readonly ParentPlan[] }).plans;
  assert.ok(plan);
  return plan;
}

/** The parts of an object that only a plan's writes change, with `now` for each time: a plan names its own. */
function partOf(there: Content | undefined, of: Content): object {
  const { spec, data, metadata } = there ?? {};
  const { labels, finalizers } = metadata ?? {};
  const all = { spec, data, metadata: { labels, finalizers } };
  const named = Object.entries(all).filter(([field]) => field in of);
  const text = JSON.stringify(Object.fromEntries(named));
  return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')) as object;
}

/** Plans and carries out, and holds each object to what the plan said that it would be; gives what was planned. */
async function comesTrue(stem: Stem, about: KubeObject): Promise<readonly string[]> {
  const mark = auditMark();
  const one = await planOf(stem, about);
  assert.deepEqual(writesSince(mark), [], 'a plan has written');
  const changes = one.changes ?? [];
  assert.deepEqual(
    changes.flatMap(({ refusal = [] }) => refusal),
    [],
  );
  const { status, body } = await postEvent(arena.functions.of(stem).url, about);
  assert.equal(status, 204, body);
  for (const [index, write] of one.plan.writes.entries()) {
    const expected = changes[index]?.after as Content | undefined;
    if (write.do === 'status' || expected === undefined) continue;
    const there = await find(targetOf(write, one.ref));
    assert.deepEqual(partOf(there, expected), partOf(expected, expected), describe(targetOf(write, one.ref)));
  }
  return one.plan.writes.map((write) => `${write.do} ${targetOf(write, one.ref).kind}`);
}

/** The same, again and again until nothing is planned; gives all that was. */
async function allComesTrue(stem: Stem, about: KubeObject): Promise<readonly string[]> {
  const all: string[] = [];
  for (let tries = 0; tries < 20; tries += 1) {
    const planned = await comesTrue(stem, about);
    if (planned.length === 0) return all;
    all.push(...planned);
  }
  assert.fail(`this comes to no end: ${all.join(', ')}`);
}

async function find({ apiVersion, kind, ...at }: ObjectRef): Promise<Content | undefined> {
  return arena.get(apiVersion, kind, at);
}

test('a plan says what the API server will have made of each write', async () => {
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const spec = { containers: [{ name: 'app', image: 'app:1' }] };
  await arena.put(object('Pod', 'web-1', { metadata: { namespace, labels: { 'frp.io/service': 'web' } }, spec }));
  await until('the backend is ready', async () => {
    const pod = (await arena.get('v1', 'Pod', { namespace, name: 'web-1' })) as Content | undefined;
    const { conditions = [] } = (pod?.status ?? {}) as { readonly conditions?: readonly { readonly type: string }[] };
    return conditions.some((one) => one.type === 'Ready' && 'status' in one && one.status === 'True') || conditions;
  });
  const web = distributedService('web', {}, { namespace });
  await arena.put(web);
  const first = await allComesTrue('distributed-service-changed', web);
  assert.ok(first.includes('create ConfigMap'), first.join(', '));

  // Fields that API server has filled in stay, and what Knudge no longer names goes.
  await arena.put(distributedService('web', { expose: { remotePort: 7009 } }, { namespace }));
  assert.ok((await allComesTrue('distributed-service-changed', web)).some((write) => write.startsWith('apply ')));

  // The first apply of this Deployment after its creation.
  const drifted = { minReadySeconds: 7, template: { spec: { terminationGracePeriodSeconds: 3 } } };
  const { status } = await arena.api('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/frp-web`, {
    body: { metadata: { labels: { 'app.kubernetes.io/managed-by': 'somebody' } }, spec: drifted },
    contentType: 'application/strategic-merge-patch+json',
  });
  assert.equal(status, 200);
  assert.ok((await allComesTrue('distributed-service-changed', web)).includes('apply Deployment'));
  await arena.remove(web);
  assert.ok((await comesTrue('distributed-service-changed', web)).some((write) => write.startsWith('delete ')));
});

test('a plan says which write the API server refuses, and why', async () => {
  const name = `no-pods-${namespace}`;
  const policy = {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
    validations: [{ expression: "object.metadata.name != 'msg-refused'", message: 'no Pod of this name is wanted' }],
  };
  const selector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const binding = { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector: selector } };
  const admission = 'admissionregistration.k8s.io/v1';
  const made = [
    { apiVersion: admission, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: policy },
    { apiVersion: admission, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: binding },
  ] as unknown as readonly KubeObject[];
  for (const one of made) await arena.put(one);
  const refused = build('refused', 'hello', { namespace });
  await arena.put(refused);
  try {
    // A policy is in force a moment after it was made.
    await until('the plan names the refusal', async () => {
      const writes = plannedWrites(await planOf('message-changed', refused));
      const pod = writes.find(({ kind }) => kind === 'Pod');
      return /^dry-run of Pod .*\/msg-refused: .*no Pod of this name is wanted/.test(pod?.refusal ?? '') || { writes };
    });
    assert.equal(await arena.get('v1', 'Pod', { namespace, name: 'msg-refused' }), undefined);
  } finally {
    for (const one of made) await arena.remove(one);
    await arena.remove(refused);
  }
});

test('a plan names the admission webhook that does not answer', async () => {
  const name = `side-effects-${namespace}`;
  const hook = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'side-effects.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'NoneOnDryRun',
        failurePolicy: 'Fail',
        timeoutSeconds: 1,
        clientConfig: { url: 'https://127.0.0.1:9/' },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  } as unknown as KubeObject;
  await arena.put(hook);
  const one = build('hooked', 'hello', { namespace });
  await arena.put(one);
  try {
    await until('the plan names the webhook', async () => {
      const writes = plannedWrites(await planOf('message-changed', one));
      return /side-effects\.example\.com/.test(writes.find(({ kind }) => kind === 'Pod')?.refusal ?? '') || { writes };
    });
  } finally {
    await arena.remove(hook);
    await arena.remove(one);
  }
});
