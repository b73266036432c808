import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { openSqlite } from '../../packages/event-log/store/sqlite.ts';
import { delivered } from '../../packages/event-log/test/store/delivery-cases.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { startEmbedded } from '../../packages/mesh/cluster/embedded.ts';
import { type BrokerOptions, source } from '../broker.ts';
import { kubernetesEvents } from '../history/events.ts';
import { deliveredIn, seenIn, waitInCluster } from '../wait/cluster.ts';
import { reconcileNow } from '../wait/reconcile.ts';
import { withLook } from '../wait/with-look.ts';
import { newFolder, recordedAt } from './log-folder.ts';

const dir = mkdtempSync(join(tmpdir(), 'knudge-wait-'));
const kubeconfig = join(dir, 'kubeconfig');
let api: Awaited<ReturnType<typeof startEmbedded>>;

before(async () => {
  api = await startEmbedded({ port: 0, kubeconfig, version: '0.0.0' });
  await api.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'knudge' } }]);
});
after(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

test('the Kubernetes Events about an object are read, newest first', async () => {
  const event = (name: string, minute: number) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'knudge' },
    involvedObject: { kind: 'Message', name: 'hello', namespace: 'knudge' },
    reason: name,
    message: 'said',
    type: 'Normal',
    lastTimestamp: `2026-11-27T12:0${minute}:00Z`,
  });
  await api.apply([event('first', 1), event('second', 2)]);
  const found = await kubernetesEvents({ kind: 'Message', namespace: 'knudge', name: 'hello' }, kubeconfig);
  assert.deepEqual(
    found.map(({ reason, note }) => [reason, note]),
    [
      ['second', 'said'],
      ['first', 'said'],
    ],
  );
});

test('the function of a mesh that a Trigger would wake reconciles an object, and its outcome is given', async (t) => {
  const server = await serve(t, () => ({ status: 204, headers: { 'knudge-outcome': 'done; reads=2; writes=0' } }));
  const mesh = mkdtempSync(join(tmpdir(), 'knudge-mesh-'));
  t.after(() => rmSync(mesh, { recursive: true, force: true }));
  writeFileSync(join(mesh, 'mesh.pid'), String(process.pid));
  const at = { dir: mesh, namespace: 'knudge', timeout: 5 } as BrokerOptions;
  const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'default', name: 'hello' };
  const stateWith = (functions: object) => writeFileSync(join(mesh, 'state.json'), JSON.stringify({ functions }));

  stateWith({});
  await assert.rejects(reconcileNow(message, at), /has no function message-changed/);
  stateWith({ 'message-changed': server.url });
  const { function: name, status, outcome } = await reconcileNow(message, at);
  assert.deepEqual([name, status, outcome], ['message-changed', 204, 'done; reads=2; writes=0']);
  assert.equal(server.seen[0]?.headers['ce-name'], 'hello');
  await assert.rejects(reconcileNow({ ...message, kind: 'Ghost' }, at), /no Trigger wants Ghost default\/hello/);
});

const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'knudge', name: 'knudge-resync' };
const deployed = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'knudge', name: 'one' };

test('in a cluster whose functions report nothing, the object says how far it is', async () => {
  const template = { metadata: { labels: { app: 'one' } }, spec: { containers: [{ name: 'one', image: 'one:1' }] } };
  const spec = { replicas: 0, selector: { matchLabels: { app: 'one' } }, template };
  const metadata = { name: 'one', namespace: 'knudge' };
  const applied = (minReadySeconds: number) =>
    api.apply([{ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { ...spec, minReadySeconds } } as never]);
  await applied(0);
  const changing = async () => {
    await applied(1);
    return { id: 'e' };
  };
  const waiting = { kubeconfig, dir, namespace: 'knudge', timeout: 10, send: async () => ({ id: 'e' }) };
  const first = await waitInCluster(deployed, { ...waiting, send: changing });
  assert.deepEqual([first.outcome, first.by, first.id], ['its status is of its generation 2', 'status', 'e']);
  await assert.rejects(
    waitInCluster(deployed, { ...waiting, timeout: 0.2 }),
    /it was up to date before, and has not changed within 0\.2 s: .* nothing shows whether one has looked at it/,
  );
  const gone = await waitInCluster({ ...deployed, name: 'nobody' }, waiting);
  assert.deepEqual([gone.outcome, gone.failed], ['gone', false]);
  // A Lease has no status.
  const { apiVersion, kind, name, namespace } = lease;
  await api.apply([{ apiVersion, kind, metadata: { name, namespace } }]);
  await assert.rejects(
    waitInCluster(lease, { ...waiting, timeout: 0.2 }),
    /its status does not speak of .* within 0\.2 s/,
  );
});

test('the condition Ready of an object stands in its outcome', async () => {
  const conditions = [{ type: 'Ready', status: 'False', reason: 'Starting', message: 'No Pod yet' }];
  const object = {
    ...deployed,
    metadata: { name: 'one', generation: 2 },
    status: { observedGeneration: 2, conditions },
  };
  const seen = await seenIn({ get: async () => object }, deployed);
  assert.equal(seen?.outcome, 'its status is of its generation 2, Ready is False: No Pod yet');
  assert.equal(
    await seenIn({ get: async () => ({ ...object, status: { observedGeneration: 1 } }) }, deployed),
    undefined,
  );
});

test('a look at a cluster closes its connection, also after a failure', async () => {
  await assert.rejects(
    withLook(kubeconfig, async () => {
      throw new Error('no');
    }),
    /^Error: no$/,
  );
});

test('what a function reports is the outcome, once the Broker does not try again', async (t) => {
  const log = await openSqlite(join(newFolder(t), 'events.db'), () => Date.parse(recordedAt));
  t.after(() => log.close());
  assert.equal(await deliveredIn(log, 'asked'), undefined);
  await log.append({ ...received({ id: 'asked' }), source });
  await log.append(received({ id: 'asked' }));
  const event = { id: 'asked', source };
  await log.appendDeliveries([delivered({ event, attempt: 1, status: 503, outcome: 'conflict' })]);
  assert.equal(await deliveredIn(log, 'asked'), undefined);
  await log.appendDeliveries([delivered({ event, attempt: 2, reads: 2, writes: 0 })]);
  const done = { outcome: 'done; reads=2; writes=0', by: 'delivery', failed: false } as const;
  assert.deepEqual(await deliveredIn(log, 'asked'), done);
  await log.appendDeliveries([delivered({ event, attempt: 3, status: 400, outcome: 'invalid-event' })]);
  assert.equal((await deliveredIn(log, 'asked'))?.failed, true);
});
