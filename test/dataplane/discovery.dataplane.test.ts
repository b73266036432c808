import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { labels } from '../../resources/distributed-service/names.ts';
import { whyNoPods } from './pod/why-not.ts';
import { countsOf } from './statistics.ts';
import { asking, startServers, whoAnswers } from './world/asking.ts';
import { startBackend } from './world/backends.ts';
import { askOnce } from './world/clients.ts';
import { fieldOf } from './world/cluster.ts';
import { ports } from './world/frp-server.ts';
import { manual, service } from './world/objects.ts';
import { backendPods } from './world/pods.ts';
import { startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;

describe('what discovery finds gets traffic', { skip }, () => {
  for (const type of ['http', 'tcp'] as const) {
    it(`manual: by weight, ${type}`, async (context) => {
      const world = await startWorld(context);
      const servers = await startServers(context, world, { type, names: ['a', 'b', 'c'] });
      const weights = [1, 3, 2];
      const weighted = servers.map((one, index) => ({ ...one, weight: weights[index] ?? 1 }));
      world.put(service({ type, backends: manual(weighted) }));
      await world.untilRunning('web');
      const ask = asking(world, type);
      await world.until('it answers', async () => 'by' in (await ask()));
      const counts = countsOf(['a', 'b', 'c'], await whoAnswers(ask, 600));
      context.diagnostic(counts.join('/'));
      for (const [index, share] of [100, 300, 200].entries()) {
        // A round of six may have begun before the first of these.
        assert.ok(Math.abs((counts[index] ?? 0) - share) <= 3, counts.join('/'));
      }
    });
  }

  it('auto: labelled Pods and Services, and nothing else', async (context) => {
    const world = await startWorld(context);
    const [pod, other] = await startServers(context, world, { type: 'tcp', names: ['pod', 'other'] });
    assert.ok(pod && other);
    const pods = backendPods(world);
    pods.add(pod);
    pods.add(other, { [labels.service]: 'another' });
    // Nobody stands in for kube-proxy: the backend itself is at the address of the Service.
    const address = String(fieldOf(world.put(serviceObject('labelled')), 'spec', 'clusterIP'));
    world.network.own(address);
    await startBackend(context, 'tcp', { name: 'service', address });
    world.put(sliceOf('labelled', address));
    world.put(service({ type: 'tcp', backends: { discovery: 'auto', port: 8080, replicas: 2 } }));
    await world.untilRunning('web');
    const ask = asking(world, 'tcp');
    await world.until('it answers', async () => 'by' in (await ask()));
    assert.deepEqual(countsOf(['pod', 'service'], await whoAnswers(ask, 40)), [20, 20]);
  });

  it('selector: the Pods that all conditions fit', async (context) => {
    const world = await startWorld(context);
    const servers = await startServers(context, world, { type: 'tcp', names: ['stable', 'canary', 'debug', 'other'] });
    const pods = backendPods(world);
    for (const [index, server] of servers.entries()) {
      const app = index < 3 ? 'api' : 'other';
      pods.add(server, { app, track: server.name, ...(server.name === 'debug' && { debug: 'yes' }) });
    }
    const byName = { discovery: 'selector', port: 8080, selector: { matchLabels: { app: 'api' } } };
    const matchExpressions = [
      { key: 'track', operator: 'In', values: ['stable', 'canary', 'debug'] },
      { key: 'debug', operator: 'DoesNotExist' },
    ];
    const byCondition = { ...byName, selector: { ...byName.selector, matchExpressions } };
    world.put(service({ type: 'tcp', backends: byName }));
    world.put(service({ name: 'conditions', type: 'tcp', backends: byCondition, expose: { remotePort: ports.other } }));
    await world.untilRunning('web');
    await world.untilRunning('conditions');
    const ask = asking(world, 'tcp');
    await world.until('it answers', async () => 'by' in (await ask()));
    assert.deepEqual(countsOf(['stable', 'canary', 'debug'], await whoAnswers(ask, 60)), [20, 20, 20]);
    const other = () => askOnce.tcp({ host: world.network.host, port: ports.other });
    assert.deepEqual(countsOf(['stable', 'canary'], await whoAnswers(other, 40)), [20, 20]);
  });

  it('200 backends: each gets its turn', async (context) => {
    const world = await startWorld(context);
    const names = Array.from({ length: 200 }, (_, index) => `p${String(index)}`);
    const servers = await startServers(context, world, { type: 'http', names });
    const pods = backendPods(world);
    for (const server of servers) pods.add(server);
    world.put(service({ type: 'http', backends: { discovery: 'auto', port: 8080, replicas: 200 } }));
    await world.untilRunning('web');
    const ask = asking(world, 'http');
    await world.until('it answers', async () => 'by' in (await ask()));
    const counts = countsOf(names, await whoAnswers(ask, 400));
    assert.deepEqual([Math.min(...counts), Math.max(...counts)], [2, 2]);
  });
});

/** Without an address: the API server gives it one. */
function serviceObject(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name, labels: { [labels.service]: 'web' } },
    spec: { ports: [{ port: 8080 }] },
  } as KubeObject;
}

/** That somebody behind a Service is ready. */
function sliceOf(name: string, address: string): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'shop',
      name: `${name}-1`,
      labels: { [labels.service]: 'web', 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [],
  } as KubeObject;
}
