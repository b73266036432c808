import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serviceNames } from '../../functions/table.ts';
import { type Cluster, createCluster } from '../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { isAlive } from '../../packages/mesh/test/functions/build.ts';
import { message } from '../build/objects.ts';
import { objectsIn } from '../kube/install.ts';
import { until } from '../kube/until.ts';
import { type RunningMesh, startProcess } from './running-mesh.ts';

/** What every cluster below the mesh must show, step by step. */
export async function runScenario(context: TestContext, args: readonly string[]): Promise<void> {
  const mesh = await startProcess('--idle', '2', ...args);
  context.after(mesh.remove);
  const cluster = await connect(mesh.state.kubeconfig);
  context.after(() => cluster.close());
  const namespace = `mesh-${process.pid}`;
  await cluster.create(namespaceObject(namespace));
  const put = (object: KubeObject) => cluster.create({ ...object, metadata: { ...object.metadata, namespace } });

  await context.test('its state names every address', async () => {
    assert.deepEqual(Object.keys(mesh.state.functions).sort(), [...serviceNames].sort());
    const urls = [mesh.state.functions['distributed-service'] ?? '', mesh.state.broker];
    assert.deepEqual(await Promise.all(urls.map(statusOfNonsense)), [400, 400]);
  });
  await context.test(
    'the resync that the mesh asks for at its start is told in its Lease, and by its metric',
    async () => {
      const lease = { namespace: 'knudge', name: 'knudge-resync' };
      await until('the Lease is there', async () => (await cluster.renewed(lease)) !== undefined);
      const scraped = await (await fetch(`${mesh.state.functions['resync-due']}/metrics`)).text();
      assert.match(scraped, /^knudge_seconds_since_resync\{\} \d+$/m);
    },
  );
  await context.test('a Message gets its Pod, and each hop is told', async () => {
    await put(message('hello', 'hi', { namespace }));
    await processed(cluster, namespace, 'hello');
    assert.notEqual(await find(cluster, namespace, 'msg-hello'), undefined);
    await until('told', async () => mesh.hops.some((hop) => isDelivered(hop, 'hello') && hop['status'] === 204));
    assert.ok(mesh.hops.some(({ kind, function: name }) => kind === 'woke' && name === 'message-changed'));
  });
  await context.test('a DistributedService gets its Deployment and a state', async () => {
    for (const file of ['server-profile', 'http-auto'])
      for (const one of objectsIn(`examples/${file}.yaml`)) await put(one);
    await until('it has a state', async () => {
      const ref = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace, name: 'shop' };
      return ((await cluster.get(ref)) as { status?: { state?: string } } | undefined)?.status?.state !== undefined;
    });
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'frp-shop' };
    await until('its Deployment is there', async () => (await cluster.get(deployment)) !== undefined);
  });
  await context.test('what nobody needs any more sleeps', async () => {
    const slept = () => mesh.hops.some(({ kind, function: name }) => kind === 'slept' && name === 'message-changed');
    await until('asleep', async () => slept() && mesh.pidsOf('message-changed').length === 0);
  });
  await context.test(
    'a function that is killed in mid-flight: its event is tried again, and all is right',
    async () => {
      for (let attempt = 0; attempt < 6 && !mesh.hops.some(brokeOff); attempt += 1) {
        await put(message(`wakes-${attempt}`, 'hi', { namespace }));
        await processed(cluster, namespace, `wakes-${attempt}`);
        for (const pid of mesh.pidsOf('message-changed')) process.kill(pid, 'SIGSTOP');
        await put(message(`survives-${attempt}`, 'hi', { namespace }));
        // Nothing shows that the event is with a function that cannot answer now: where it is not yet, more time is given.
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
        for (const pid of mesh.pidsOf('message-changed')) process.kill(pid, 'SIGKILL');
        await processed(cluster, namespace, `survives-${attempt}`);
      }
      assert.ok(mesh.hops.some(({ kind, function: name }) => kind === 'crashed' && name === 'message-changed'));
      assert.ok(mesh.hops.some(brokeOff), 'no kill met an event in flight');
    },
  );
  await context.test('at the end nothing is left', async () => leavesNothing(mesh));
}

async function leavesNothing(mesh: RunningMesh): Promise<void> {
  const pids = Object.keys(mesh.state.functions).flatMap(mesh.pidsOf);
  mesh.signal('SIGINT');
  assert.equal(await mesh.ended(), 0);
  assert.deepEqual(pids.filter(isAlive), []);
  const own = mesh.hops.filter(({ kind, why }) => kind === 'crashed' && String(why).startsWith('ended with'));
  assert.deepEqual(own, [], 'Ctrl-C is for the mesh, not for its functions');
  for (const file of ['state.json', 'mesh.pid', 'kubeconfig']) assert.equal(existsSync(join(mesh.dir, file)), false);
}

async function connect(kubeconfig: string): Promise<Cluster> {
  return createCluster({
    access: await outsideCluster({ kubeconfig }),
    version: 'test',
    instance: 'test',
    onLostNotice: () => undefined,
  });
}

function namespaceObject(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

async function statusOfNonsense(url: string): Promise<number> {
  return (await fetch(url, { method: 'POST', body: 'nonsense' })).status;
}

function find(cluster: Cluster, namespace: string, name: string): Promise<KubeObject | undefined> {
  return cluster.get({ apiVersion: 'v1', kind: 'Pod', namespace, name });
}

async function processed(cluster: Cluster, namespace: string, name: string): Promise<void> {
  const ref = refOf(message(name, '', { namespace }));
  await until(`${name} is Processed`, async () => {
    const found = (await cluster.get(ref)) as { status?: { phase?: string } } | undefined;
    return found?.status?.phase === 'Processed' && (await find(cluster, namespace, `msg-${name}`)) !== undefined;
  });
}

function isDelivered({ kind, event }: RunningMesh['hops'][number], name: string): boolean {
  return kind === 'delivered' && (event as { readonly name?: string }).name === name;
}

function brokeOff(hop: RunningMesh['hops'][number]): boolean {
  return hop.kind === 'delivered' && hop['status'] === 502;
}
