import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../builtin/events.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { createKinds, storageOf } from '../schema/kinds.ts';
import { conform, kindOf } from './conforming.ts';

const kinds = createKinds();
const make = (kind: string, body: object) => conform(kindOf(kinds, kind), { metadata: { name: 'n' }, ...body }).object;
const change = (kind: string, current: JsonObject, body: object) =>
  conform(kindOf(kinds, kind), { metadata: { name: 'n' }, ...body }, { current }).object;

test('a Service gets addresses and ports, and loses them with its type', () => {
  const ports = [{ port: 80 }, { port: 81, name: 'a', targetPort: 'web', protocol: 'UDP' }];
  const balancer = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', sessionAffinity: 'ClientIP', ports };
  const current = make('Service', { spec: balancer });
  assert.deepEqual(current['spec'], {
    ...balancer,
    ports: [
      { port: 80, protocol: 'TCP', targetPort: 80, nodePort: 31384 },
      { port: 81, name: 'a', targetPort: 'web', protocol: 'UDP', nodePort: 31384 },
    ],
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
    internalTrafficPolicy: 'Cluster',
    allocateLoadBalancerNodePorts: true,
    healthCheckNodePort: 31384,
    clusterIP: '10.104.0.0',
    clusterIPs: ['10.104.0.0'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
  assert.deepEqual(current['status'], { loadBalancer: {} });
  const inside = change('Service', current, { spec: { ...objectAt(current, 'spec'), type: 'ClusterIP' } });
  const { nodePort, ...port } = (objectAt(current, 'spec')['ports'] as readonly JsonObject[])[0] ?? {};
  assert.equal(nodePort, 31384);
  assert.deepEqual((objectAt(inside, 'spec')['ports'] as readonly JsonObject[])[0], port);
  assert.equal(objectAt(inside, 'spec')['externalTrafficPolicy'], undefined);
  const outside = { ...objectAt(inside, 'spec'), type: 'ExternalName', externalName: 'x.y' };
  assert.equal(objectAt(change('Service', inside, { spec: outside }), 'spec')['clusterIP'], undefined);
  const address = { clusterIP: '10.96.1.2', clusterIPs: ['10.96.1.2'] };
  const old = {
    ...current,
    spec: { ...objectAt(current, 'spec'), ...address, ports: [{ port: 80, protocol: 'TCP', nodePort: 30001 }] },
  };
  const again = objectAt(change('Service', old, { spec: { ...balancer, ports: [{ port: 80 }] } }), 'spec');
  assert.deepEqual([again['clusterIP'], again['clusterIPs']], [address.clusterIP, address.clusterIPs]);
  assert.deepEqual(again['ports'], [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30001 }]);
});

test('an Event is the same in both of its groups', () => {
  const core = kindOf(kinds, 'Event');
  const newer = kindOf(kinds, 'events.k8s.io/v1 Event');
  const event = make('Event', { involvedObject: { kind: 'Pod', namespace: 'default' }, message: 'm', count: 2 });
  const converted = convert(event, newer);
  assert.equal(converted['note'], 'm');
  assert.equal(converted['apiVersion'], 'events.k8s.io/v1');
  assert.equal(converted['reportingController'], undefined);
  assert.equal(convert(converted, core)['message'], 'm');
  assert.equal(convert(event, core), event);
  assert.deepEqual([storageOf(core), storageOf(newer), storageOf(kindOf(kinds, 'Pod'))], ['events', 'events', 'pods']);
});
