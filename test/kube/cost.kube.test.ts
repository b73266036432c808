import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';

let arena: Arena;
const measured = new Map<string, string>();

before(async () => {
  arena = await openArena({ withSource: false });
});
after(() => arena.close());

/** Posts one event and notes what it cost, as the answer says it. */
async function cost(row: string, stem: Stem, about: KubeObject): Promise<void> {
  const { status, outcome, body } = await postEvent(arena.functions.of(stem).url, about);
  assert.equal(status, 204, body);
  const [, reads, writes] = /reads=(\d+); writes=(\d+)/.exec(outcome) ?? [];
  measured.set(row, `${reads} reads, ${writes} writes`);
}

async function tunnelIsUp(namespace: string, name: string): Promise<void> {
  await until('the tunnel is up', async () => {
    const tunnel = await arena.get('apps/v1', 'Deployment', { namespace, name: `frp-${name}` });
    const status = (tunnel as { status?: { availableReplicas?: number; observedGeneration?: number } } | undefined)
      ?.status;
    return status?.availableReplicas === 1 && status.observedGeneration === tunnel?.metadata.generation;
  });
}

async function podIsReady(namespace: string, name: string): Promise<KubeObject> {
  await until(
    `${name} is ready`,
    async () =>
      JSON.stringify(await arena.get('v1', 'Pod', { namespace, name })).includes('"type":"Ready","status":"True"') ||
      JSON.stringify(await arena.get('v1', 'Pod', { namespace, name })).match(/"status":"True","type":"Ready"/) !==
        null,
  );
  const pod = await arena.get('v1', 'Pod', { namespace, name });
  assert.ok(pod);
  return pod;
}

test('a Message', async () => {
  const namespace = await arena.namespace('cost');
  const hello = message('hello', 'one', { namespace });
  await arena.put(hello);
  await cost('Message: created', 'message-changed', hello);
  await cost('Message: its Pod is ready', 'pod-changed', await podIsReady(namespace, 'msg-hello'));
  await cost('Message: nothing to change', 'message-changed', hello);
  await arena.put(message('hello', 'two', { namespace }));
  await cost('Message: text changed', 'message-changed', hello);
  await arena.remove(hello);
  await cost('Message: deleted', 'message-changed', hello);
});

test('a DistributedService', async () => {
  const namespace = await arena.namespace('cost');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const pod = (name: string): KubeObject =>
    object('Pod', name, {
      metadata: { namespace, labels: { 'frp.io/service': 'web' } },
      spec: { containers: [{ name: 'app', image: 'app:1' }] },
    });
  const web = distributedService('web', {}, { namespace });
  await arena.put(pod('web-1'));
  await podIsReady(namespace, 'web-1');
  await arena.put(web);
  await cost('DistributedService: created', 'distributed-service-changed', web);
  await tunnelIsUp(namespace, 'web');
  await cost('DistributedService: its tunnel is up', 'distributed-service-changed', web);
  await cost('DistributedService: nothing to change', 'distributed-service-changed', web);
  await arena.put(pod('web-2'));
  await cost('DistributedService: one backend more', 'pod-changed', await podIsReady(namespace, 'web-2'));
  await arena.put(distributedService('web', { expose: { remotePort: 7002 } }, { namespace }));
  await cost('DistributedService: spec changed', 'distributed-service-changed', web);
  await arena.remove(web);
  await cost('DistributedService: deleted', 'distributed-service-changed', web);
  await until(
    'the tunnel is gone',
    async () => (await arena.get('apps/v1', 'Deployment', { namespace, name: 'frp-web' })) === undefined,
  );
  await cost('DistributedService: its tunnel is gone', 'distributed-service-changed', web);
  assert.equal(await arena.service(namespace, 'web'), undefined);
});

test('every event was measured', (t) => {
  for (const [row, figures] of measured) t.diagnostic(`${row}: ${figures}`);
  assert.equal(measured.size, 12);
});

/** Written while the Deployment controller writes too: each time it is first costs a try more. */
const contended = 'DistributedService: deleted';

test('the table in bench/README.md says what was measured', () => {
  const table = readFileSync('bench/README.md', 'utf8');
  const missing = [...measured].filter(([row, figures]) => {
    if (row === contended) return false;
    const [reads, writes] = figures.match(/\d+/g) ?? [];
    return !new RegExp(`^\\| ${row} +\\| +${reads} +\\| +${writes} +\\|`, 'm').test(table);
  });
  assert.deepEqual(missing, []);
});
