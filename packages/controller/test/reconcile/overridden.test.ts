import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn, rolledOut } from '../../../../test/build/run.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import { timeOf } from '../../domain/time.ts';

const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
const tunnelRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'frp-web' } as const;
const service = distributedService('web');
const backend = object('Pod', 'web-1', {
  metadata: { labels: { 'frp.io/service': 'web' } },
  status: { podIP: '10.0.0.1', phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

/** Of a registry's mirror: the images of Deployments, while it is there. */
const mirrored = (one: KubeObject): KubeObject =>
  JSON.parse(JSON.stringify(one).replaceAll('"image":"', '"image":"mirror.example.com/')) as KubeObject;

/** A cluster whose API server stores Deployments otherwise than they are sent, until somebody takes that away. */
function webhooked() {
  const clock = { at: 0 };
  const webhook = { isThere: true };
  const memory = memoryCluster({ now: () => timeOf(start + clock.at) });
  for (const one of [serverProfile(), backend, service]) memory.put(one);
  const admitted = (one: KubeObject): KubeObject =>
    webhook.isThere && one.kind === 'Deployment' ? mirrored(one) : one;
  const cluster = {
    ...memory,
    get: async (ref: ObjectRef) => {
      const found = await memory.get(ref);
      const managedFields = [{ manager: 'kubectl-edit', operation: 'Update', fieldsV1: edited.fields }];
      return found && { ...found, metadata: { ...found.metadata, managedFields } };
    },
    create: (one: KubeObject) => memory.create(admitted(one)),
    apply: (one: KubeObject, live: KubeObject) => memory.apply(admitted(one), live),
  };
  /** What a person is the manager of. */
  const edited: { fields: object } = { fields: {} };
  const sent: number[] = [];
  memory.before = ({ verb, ref }) => {
    if ((verb === 'create' || verb === 'apply') && ref.kind === 'Deployment') sent.push(clock.at);
  };
  const look = async (at: number): Promise<void> => {
    clock.at = at;
    await reconcileOn(cluster, refOf(service), { now: timeOf(start + at), tries: at % 300 === 0 });
    const live = await memory.get(tunnelRef);
    if (live !== undefined) memory.put(rolledOut(live));
  };
  const status = async () => ((await memory.get(refOf(service))) as DistributedService).status;
  const condition = async (type: string) => (await status())?.conditions?.find((one) => one.type === type);
  return { memory, webhook, edited, sent, look, status, condition };
}

test('a webhook that rewrites images of Deployments: six times in five minutes it is sent, then with each resync, and it is told', async () => {
  const { sent, look, status, condition, memory } = webhooked();
  for (let at = 0; at < 300; at += 2) await look(at);
  assert.ok(sent.length <= 6, `${sent.length} times: ${sent.join(' ')}`);
  const writes = memory.calls.filter(({ verb }) => verb === 'status').length;
  assert.ok(writes <= 20, `${writes} statuses`);
  assert.equal((await status())?.state, 'Failed');
  const { status: holds, reason, message = '' } = (await condition('Ready')) ?? {};
  assert.deepEqual({ holds, reason }, { holds: 'False', reason: 'Overridden' });
  assert.match(
    message,
    /^Deployment shop\/frp-web is not what was asked for: spec\.template\.spec\.containers\[frpc\]\.image is "mirror\.example\.com\/frpc:1" instead of "frpc:1", and no field manager is named for it \(an admission webhook\?\)\. It was sent \d times in a row/,
  );
  const before = sent.length;
  for (let at = 300; at < 3900; at += 300) await look(at);
  assert.ok(sent.length - before >= 10 && sent.length - before <= 25, sent.join(' '));
});

test('at rest an override writes nothing', async () => {
  const { look, memory, sent } = webhooked();
  for (let at = 0; at < 120; at += 2) await look(at);
  const [before, last] = [memory.calls.length, sent.at(-1) ?? 0];
  for (let at = 120; at < Math.min(last + 90, 300); at += 2) await look(at);
  const since = memory.calls.slice(before).filter(({ verb }) => !['get', 'list', 'getMetadata'].includes(verb));
  assert.deepEqual(
    since.map(({ verb, ref }) => `${verb} ${describe(ref)}`),
    [],
  );
});

test('once the webhook is gone the next resync makes the service run', async () => {
  for (const gone of [10, 400, 1300]) {
    const { webhook, look, status } = webhooked();
    for (let at = 0; at < gone; at += 5) await look(at);
    webhook.isThere = false;
    const resync = (Math.floor(gone / 300) + 1) * 300;
    // The event of its own write follows.
    for (const at of [resync, resync + 1, resync + 2]) await look(at);
    assert.equal((await status())?.state, 'Running', `gone after ${gone} s`);
  }
});

test('what else the service needs is written meanwhile', async () => {
  const { look, memory, status } = webhooked();
  for (let at = 0; at < 60; at += 2) await look(at);
  memory.put(
    object('Pod', 'web-2', {
      ...backend,
      metadata: { labels: { 'frp.io/service': 'web' } },
      status: { ...(backend as { status?: object }).status, podIP: '10.0.0.2' },
    }),
  );
  await look(60);
  assert.equal((await status())?.activeEndpoints, 2);
  const file = (await memory.get({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'shop',
    name: 'frp-web-endpoints',
  })) as { data?: object } | undefined;
  assert.match(JSON.stringify(file?.data), /10\.0\.0\.2/);
});

test('a person who changes the tunnel is brought back at once, as often as that is', async () => {
  const { webhook, look, memory, sent, status, edited } = webhooked();
  webhook.isThere = false;
  for (const at of [0, 1, 2]) await look(at);
  assert.equal((await status())?.state, 'Running');
  const before = sent.length;
  edited.fields = { 'f:spec': { 'f:replicas': {} } };
  for (let at = 10; at < 20; at += 2) {
    const live = await memory.get(tunnelRef);
    assert.ok(live);
    memory.put({ ...live, spec: { ...(live as { spec?: object }).spec, replicas: 3 } } as KubeObject);
    await look(at);
  }
  assert.equal(sent.length - before, 5);
});
