import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, object } from '../../../../test/build/objects.ts';
import { childRef, running, service } from '../../../../test/build/running-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { asked, web } from './asked.ts';

test('what a look has found to do is done by rule R1: its children, then the Claims, the owner and the inputs anew', async () => {
  const cluster = await running();
  cluster.put(backendPod('web-2', '10.0.0.2'));
  const { calls, reads, writes } = await asked(cluster);
  assert.deepEqual([reads, writes], [15, 2]);
  const strict = calls.lastIndexOf('get DistributedService web');
  const written = calls.findIndex((call) => call.startsWith('apply'));
  assert.deepEqual(calls.slice(8, strict).toSorted(), ['get Secret frp-web-identity', 'list Claim']);
  assert.deepEqual(calls.slice(strict + 1, written).toSorted(), [
    'list ConfigMap',
    'list Pod',
    'list Pod',
    'list Service',
  ]);
});

/** Calls `make` once, when the Claims are listed: after a look, and before the owner is read again. */
function amidst(cluster: MemoryCluster, make: () => void): void {
  let isMade = false;
  cluster.before = ({ ref }) => {
    if (isMade || ref.kind !== 'Claim') return;
    isMade = true;
    make();
  };
}

test('a parent that has changed since the look is read as a whole', async () => {
  const cluster = await running();
  cluster.put(backendPod('web-2', '10.0.0.2'));
  amidst(cluster, () => {
    const { expose, ...spec } = service.spec;
    cluster.put({ ...service, spec: { ...spec, expose: { ...expose, remotePort: 7009 } } } as KubeObject);
  });
  const { calls } = await asked(cluster);
  const second = calls.indexOf('get DistributedService web', 1);
  const reads = calls.slice(
    second,
    calls.findIndex((call) => /^(create|apply|finalizers|status)/.test(call)),
  );
  assert.ok(reads.includes('get ConfigMap frp-web-config'), 'each child by its name, before anything is written');
  const config = (await cluster.get(childRef('ConfigMap', 'frp-web-config'))) as unknown as { data: object };
  assert.match(JSON.stringify(config.data), /7009/);
});

test('a child that changes after the look is not written over: all is read again', async () => {
  const cluster = await running();
  const endpoints = childRef('ConfigMap', 'frp-web-endpoints');
  cluster.put(backendPod('web-2', '10.0.0.2'));
  const live = await cluster.get(endpoints);
  assert.ok(live);
  amidst(cluster, () => cluster.put({ ...live, data: { 'eds.json': '{}' } } as KubeObject));
  const { calls, result } = await asked(cluster);
  assert.equal(result, 'done');
  assert.ok(calls.includes('get ConfigMap frp-web-endpoints'), 'the second pass reads each child by its name');
  assert.match(JSON.stringify(await cluster.get(endpoints)), /10\.0\.0\.2/);
});

test('somebody else has the name of a child that a look has not found: it is not touched', async () => {
  const cluster = await running();
  const endpoints = childRef('ConfigMap', 'frp-web-endpoints');
  cluster.remove(endpoints);
  const foreign = object('v1 ConfigMap', endpoints.name, { data: { mine: 'yes' } });
  amidst(cluster, () => cluster.put(foreign));
  await asked(cluster);
  assert.deepEqual(((await cluster.get(endpoints)) as unknown as { data: object }).data, { mine: 'yes' });
  const { status } = (await cluster.get(web)) as unknown as { status: { conditions: { reason: string }[] } };
  assert.ok(status.conditions.some(({ reason }) => reason === 'NameConflict'));
});

test('an identity of which the status does not tell is read before anything is written', async () => {
  const cluster = await running();
  const { status, ...rest } = (await cluster.get(web)) as KubeObject & { readonly status: object };
  cluster.put({ ...rest, status: { ...status, identityDigest: undefined } } as KubeObject);
  const { calls } = await asked(cluster);
  assert.ok(calls.indexOf('get Secret frp-web-identity') < calls.findIndex((call) => call.startsWith('status')));
  assert.ok(!calls.includes('create Secret frp-web-identity'));
});
