import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { type Broker, startBroker } from './broker.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';

let arena: Arena;
let broker: Broker;
const measured = new Map<string, string>();

/** What some rows may cost at most; where more stands in bench/README.md than was the goal, it says so. */
const mostReads: Readonly<Record<string, number>> = {
  'Message: its Pod is ready': 2,
  'DistributedService: nothing to change': 8,
  'DistributedService: one backend more': 15,
  'DistributedService: what it wrote itself': 0,
  'DistributedService: what it has read': 0,
  'DistributedService: 8 domains, 8 paths, nothing to change': 12,
  'A profile that nine services share': 30,
  'A Secret that concerns no parent': 1,
};

before(async () => {
  broker = await startBroker();
  arena = await openArena({ withSource: false, env: { K_SINK: broker.url, TUNNEL_TIMEOUT_MS: '0' } });
});
after(async () => {
  await arena.close();
  broker.close();
});

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

test('a DistributedService of what is known, and one with many Claims', async () => {
  const namespace = await arena.namespace('cost');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
  const locations = Array.from({ length: 8 }, (_, at) => `/path-${at}`);
  const domains = Array.from({ length: 8 }, (_, at) => `host-${at}.${namespace}.example.com`);
  const many = distributedService('many', { serviceType: 'http', expose: { domains, locations } }, { namespace });
  await arena.put(many);
  await arena.settled(many);
  await tunnelIsUp(namespace, 'many');
  await arena.settled(many);
  // As a look by the very process that read it last.
  const own = await arena.service(namespace, 'many');
  assert.ok(own);
  const { resourceVersion: _, ...metadata } = own.metadata;
  const row = 'DistributedService: 8 domains, 8 paths, nothing to change';
  await cost(row, 'distributed-service-changed', { ...own, metadata } as KubeObject);
  await cost('DistributedService: what it has read', 'distributed-service-changed', own);
  await arena.put({ ...many, spec: { ...many.spec, loadBalancing: { algorithm: 'random' } } } as KubeObject);
  await arena.settled(many);
  const written = await arena.service(namespace, 'many');
  assert.ok(written);
  await cost('DistributedService: what it wrote itself', 'distributed-service-changed', written);
});

test('a profile that nine services share, and a Secret of nobody', async () => {
  const namespace = await arena.namespace('cost');
  const profile = { ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } };
  await arena.put(profile);
  for (let at = 0; at < 9; at += 1) {
    await arena.put(distributedService(`web-${at}`, { expose: { remotePort: 7100 + at } }, { namespace }));
  }
  broker.taken.length = 0;
  await cost('A profile that nine services share', 'config-map-changed', profile);
  const asked = broker.taken.map(({ extensions }) => extensions.get('name')).sort();
  assert.deepEqual(
    asked,
    Array.from({ length: 9 }, (_, at) => `web-${at}`),
    'each by an event of its own',
  );
  const secret = object('Secret', 'of-nobody', { metadata: { namespace }, data: {} });
  await arena.put(secret);
  await cost('A Secret that concerns no parent', 'secret-changed', secret);
});

test('every event was measured, and costs no more than it may', (t) => {
  for (const [row, figures] of measured) t.diagnostic(`${row}: ${figures}`);
  assert.equal(measured.size, 17);
  const cheap = Object.entries(mostReads).filter(([row, most]) => Number.parseInt(measured.get(row) ?? '', 10) <= most);
  assert.equal(cheap.length, Object.keys(mostReads).length, JSON.stringify([...measured]));
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
