import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import { describe, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { targetOf } from '../../packages/controller/domain/plan.ts';
import { plannedWrites } from '../../packages/event-log/replay/planned-changes.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { planOf } from './planned.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';
import { openWebhook } from './webhook.ts';
import { auditMark, writesSince } from './writes.ts';

let arena: Arena;
let namespace: string;

before(async () => {
  arena = await openArena({ withSource: false });
  namespace = await arena.namespace('planned');
});
after(() => arena.close());

type Content = KubeObject & { readonly spec?: object; readonly data?: object; readonly status?: object };

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
  const one = await planOf(arena, stem, about);
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

/** A new service with a backend that is ready. */
async function newService(name: string): Promise<KubeObject> {
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const spec = { containers: [{ name: 'app', image: 'app:1' }] };
  await arena.put(object('Pod', `${name}-1`, { metadata: { namespace, labels: { 'frp.io/service': name } }, spec }));
  await until('the backend is ready', async () => {
    const pod = (await arena.get('v1', 'Pod', { namespace, name: `${name}-1` })) as Content | undefined;
    const { conditions = [] } = (pod?.status ?? {}) as { readonly conditions?: readonly { readonly type: string }[] };
    return conditions.some((one) => one.type === 'Ready' && 'status' in one && one.status === 'True') || conditions;
  });
  const service = distributedService(name, {}, { namespace });
  await arena.put(service);
  return service;
}

test('a plan says what the API server will have made of each write', async () => {
  const web = await newService('web');
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

test('a plan shows what an admission webhook changes', async () => {
  const hooked = await newService('hooked');
  await allComesTrue('distributed-service-changed', hooked);
  const { status } = await arena.api('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/frp-hooked`, {
    body: { spec: { template: { spec: { terminationGracePeriodSeconds: 3 } } } },
    contentType: 'application/strategic-merge-patch+json',
  });
  assert.equal(status, 200);
  const labels = { 'app.kubernetes.io/managed-by': 'knudge' };
  const app = { app: 'probe' };
  const template = { metadata: { labels: app }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  const end = await openWebhook(arena.api, `planned-${namespace}`, {
    namespace,
    resource: 'deployments',
    operations: ['CREATE', 'UPDATE'],
    selector: { matchLabels: labels },
    change: async () => [{ op: 'add', path: '/metadata/labels/seen', value: 'yes' }],
    alsoTries: true,
    probe: object('apps/v1 Deployment', 'probe', {
      metadata: { namespace, labels },
      spec: { selector: { matchLabels: app }, template },
    }),
  });
  try {
    const writes = plannedWrites(await planOf(arena, 'distributed-service-changed', hooked));
    const changes = writes.find(({ kind }) => kind === 'Deployment')?.changes ?? [];
    assert.deepEqual(
      changes.find(({ field }) => field === '/metadata/labels/seen'),
      { field: '/metadata/labels/seen', after: 'yes' },
    );
    assert.ok((await comesTrue('distributed-service-changed', hooked)).includes('apply Deployment'));
  } finally {
    await end();
    await arena.remove(hooked);
  }
});
