import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, distributedService, message, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, service } from '../../../../test/build/running-service.ts';
import { foresee } from '../../decide/foresee.ts';
import { shapeOf } from '../../decide/shapes.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import { type Plan, targetOf } from '../../domain/plan.ts';
import { tryOut } from '../../reconcile/try-out.ts';

const writes: ReadonlySet<string> = new Set(['create', 'apply', 'delete', 'scale', 'finalizers', 'status']);

type Content = KubeObject & { readonly spec?: { readonly replicas?: number }; readonly status?: unknown };

/** What is there, as far as a write of this kind touches it. */
function partOf(verb: string, object: Content): object {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  if (verb === 'scale') return { spec: { replicas: object.spec?.replicas } };
  if (verb === 'finalizers') return { metadata: { finalizers: metadata.finalizers ?? [] } };
  return verb === 'status' ? { status: object.status ?? {} } : { ...object, metadata };
}

/** The verbs of a plan, each of which has done, when it was carried out, what the plan had foreseen. */
async function carriedOut(cluster: MemoryCluster, ref: ObjectRef): Promise<readonly string[]> {
  const { plans = [] } = await reconcileOn(cluster, ref, { dryRun: true });
  const [planned] = plans;
  assert.ok(planned?.changes);
  const { plan, changes } = planned;
  const there = (of: ObjectRef) => cluster.objects().find((one) => describe(refOf(one)) === describe(of)) as Content;
  let at = 0;
  cluster.before = ({ verb }) => {
    const [write, change] = [plan.writes[at], changes[at]];
    if (!writes.has(verb) || write === undefined || change?.before === undefined) return;
    assert.deepEqual(partOf(verb, there(targetOf(write, ref))), change.before);
  };
  cluster.after = ({ verb }) => {
    const [write, change] = [plan.writes[at], changes[at]];
    if (!writes.has(verb) || write === undefined) return;
    at += 1;
    assert.equal(write.do, verb);
    if (change?.after !== undefined) assert.deepEqual(partOf(verb, there(targetOf(write, ref))), change.after);
    assert.equal(change?.after === undefined, verb === 'create' || verb === 'delete');
  };
  await reconcileOn(cluster, ref);
  assert.equal(at, plan.writes.length);
  return plan.writes.map((write) => write.do);
}

suite('what a plan foresees comes true', () => {
  test('of a Message that is new, and of its Pod', async () => {
    const cluster = memoryCluster();
    cluster.put(message());
    assert.deepEqual(await carriedOut(cluster, refOf(message())), ['create', 'status']);
  });

  test('of a service whose children were changed', async () => {
    const cluster = await running();
    const config = childRef('ConfigMap', 'frp-web-config');
    cluster.put({ ...(await cluster.get(config)), data: { 'frpc.toml': 'other' } } as unknown as KubeObject);
    assert.ok((await carriedOut(cluster, refOf(service))).includes('apply'));
  });

  test('of a service that is new, and of one that goes', async () => {
    const cluster = memoryCluster();
    for (const one of [serverProfile(), service, backendPod('web-1', '10.0.0.1')]) cluster.put(one);
    assert.ok((await carriedOut(cluster, refOf(service))).includes('finalizers'));
    cluster.after = undefined;
    cluster.before = undefined;
    cluster.remove(refOf(service));
    assert.ok((await carriedOut(cluster, refOf(service))).includes('delete'));
  });

  test('of a workload that is scaled', async () => {
    const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' } as const;
    const scaled = (replicas: number) =>
      distributedService('web', { backends: { discovery: 'auto', port: 8080, replicas, workloadRef } });
    const app = object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } });
    const cluster = memoryCluster();
    for (const one of [serverProfile(), scaled(1), app]) cluster.put(one);
    await reconcileOn(cluster, refOf(service));
    cluster.put({ ...scaled(5), metadata: { ...scaled(5).metadata, finalizers: undefined } } as unknown as KubeObject);
    assert.ok((await carriedOut(cluster, refOf(service))).includes('scale'));
  });
});

test('of a Secret a plan says which keys get another value', () => {
  const secret = (data: object) =>
    ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'shop' }, data }) as unknown as KubeObject;
  const [object, live] = [
    secret({ same: 'MQ==', other: 'Mg==', more: 'Mw==' }),
    secret({ same: 'MQ==', other: 'NA==' }),
  ];
  const plan: Plan = { writes: [{ do: 'apply', object, live }], notices: [], again: false };
  const [change] = foresee(plan, { owner: message(), children: new Map(), inputs: new Map() }, shapeOf);
  assert.deepEqual(change?.keys, ['other', 'more']);
});

suite('the API server is asked before a plan is shown', () => {
  const apply = (live: KubeObject, more: object): Plan => {
    const { uid: _, resourceVersion: __, managedFields: ___, ...metadata } = live.metadata;
    const desired = { apiVersion: live.apiVersion, kind: live.kind, metadata, ...more } as KubeObject;
    return { writes: [{ do: 'apply', object: desired, live }], notices: [], again: false };
  };
  const observed = { owner: message(), children: new Map(), inputs: new Map() };

  test('and stores nothing of it', async () => {
    const cluster = await running();
    cluster.put({ ...(await cluster.get(childRef('ConfigMap', 'frp-web-config'))), data: { a: 'b' } } as never);
    const before = structuredClone(cluster.objects());
    const { plans } = await reconcileOn(cluster, refOf(service), { dryRun: true });
    assert.ok(plans?.[0]?.plan.writes.some((write) => write.do === 'apply'));
    assert.deepEqual(cluster.objects(), before);
  });

  test('and what it refuses stands beside what the function expects', async () => {
    const cluster = memoryCluster();
    const app = object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } });
    const live = cluster.put(app);
    const [change] = await tryOut(apply(live, { spec: { replicas: -1 } }), observed, {
      shapeOf,
      trial: await cluster.trial(),
    });
    assert.match(change?.refusal ?? '', /^dry-run of Deployment shop\/app: .*spec\.replicas/s);
    assert.equal((change?.after as Content | undefined)?.spec?.replicas, -1);
    const made: Plan = { writes: [{ do: 'create', object: app }], notices: [], again: false };
    const [another] = await tryOut(made, observed, { shapeOf, trial: await cluster.trial() });
    assert.match(another?.refusal ?? '', /^dry-run of Deployment shop\/app: /);
    const shared: Plan = { writes: [{ do: 'create', object: app, mayExist: true }], notices: [], again: false };
    assert.deepEqual(await tryOut(shared, observed, { shapeOf, trial: await cluster.trial() }), [{}]);
  });

  test('and an object that has changed meanwhile is looked at again', async () => {
    const cluster = memoryCluster();
    const live = cluster.put(object('apps/v1 Deployment', 'app', { spec: { replicas: 1 } }));
    cluster.put(object('apps/v1 Deployment', 'app', { spec: { replicas: 2 } }));
    const asked = tryOut(apply(live, { spec: { replicas: 3 } }), observed, { shapeOf, trial: await cluster.trial() });
    await assert.rejects(asked, { code: 'conflict' });
  });
});
