import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOf } from '../../../../cli/cluster/forward-broker.ts';
import { forwardTarget, type ServiceParts, selectorOf } from '../../../../cli/cluster/forward-target.ts';

const metadata = { namespace: 'knative-eventing', name: 'broker-ingress' };
const service = (...ports: readonly object[]): ServiceParts => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: { app: 'a', role: 'b' }, ports },
});
const pod = (name: string, ready: string, ports: readonly object[] = []) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'knative-eventing', name },
  spec: { containers: [{ ports }, {}] },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const bare = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'bare' } };

describe('a port-forward goes to', () => {
  const pods = [bare, pod('no', 'False'), pod('yes', 'True', [{ name: 'http', containerPort: 8080 }])];
  const targets = [
    { name: 'the number that the Service says', ports: { port: 80, targetPort: 9000 }, port: 9000 },
    { name: 'the named port of the Pod', ports: { port: 80, targetPort: 'http' }, port: 8080 },
    { name: 'the same port where the Service says no other', ports: { port: 80 }, port: 80 },
  ];
  for (const { name, ports, port } of targets) {
    it(`a ready Pod, ${name}`, () => assert.deepEqual(forwardTarget(service(ports), pods, 80), { pod: 'yes', port }));
  }

  const refused = [
    { name: 'a port that the Service has not', ports: { port: 81 }, pods, says: /has no port 80$/ },
    {
      name: 'no Pod that is ready',
      ports: { port: 80 },
      pods: [bare, pod('no', 'False')],
      says: /has no Pod that is ready/,
    },
    {
      name: 'a name that the Pod has not',
      ports: { port: 80, targetPort: 'grpc' },
      pods,
      says: /Pod .*\/yes has no port named grpc/,
    },
  ];
  for (const { name, ports, pods, says } of refused) {
    it(`nowhere: ${name}`, () => assert.throws(() => forwardTarget(service(ports), pods, 80), says));
  }

  it('the newest ready Pod that stays: that of an older revision may go to another store', () => {
    const born = (name: string, creationTimestamp: string, more: object = {}) => {
      const one = pod(name, 'True');
      return { ...one, metadata: { ...one.metadata, creationTimestamp, ...more } };
    };
    const going = born('going', '2026-01-03T00:00:00Z', { deletionTimestamp: '2026-01-03T00:00:01Z' });
    const all = [born('old', '2026-01-01T00:00:00Z'), born('new', '2026-01-02T00:00:00Z'), going, bare];
    assert.equal(forwardTarget(service({ port: 80 }), all, 80).pod, 'new');
  });

  it('the Pods that the Service selects', () => assert.equal(selectorOf(service()), 'app=a,role=b'));
  it('nowhere: a Service that selects none', () => {
    assert.throws(() => selectorOf({ apiVersion: 'v1', kind: 'Service', metadata }), /chooses no Pods/);
  });
});

describe('a Broker in a cluster is', () => {
  const broker = (url?: string, more: object = {}) => ({
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name: 'knudge' },
    ...(url !== undefined && { status: { address: { url, ...more } } }),
  });
  const own = { namespace: 'knudge', name: 'knudge' };
  it('where its status says', () => {
    assert.deepEqual(placeOf(broker('http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge'), own), {
      service: 'broker-ingress',
      namespace: 'knative-eventing',
      port: 80,
      path: '/knudge/knudge',
    });
    assert.equal(placeOf(broker('http://b.n.svc:8080/x'), own).port, 8080);
  });
  it('one that asks for tokens where its status says for whom', () => {
    assert.equal(placeOf(broker('http://b.n.svc/x', { audience: 'the-broker' }), own).audience, 'the-broker');
    assert.equal('audience' in placeOf(broker('http://b.n.svc/x', { audience: '' }), own), false);
  });
  const refused = [
    { name: 'not there', broker: undefined, says: /there is no Broker knudge\/knudge in the cluster: install / },
    { name: 'without an address', broker: broker(), says: /has no address yet/ },
    { name: 'at no address', broker: broker('nonsense'), says: /has no address yet/ },
    { name: 'behind TLS', broker: broker('https://b.n.svc/x'), says: /name an address by --broker/ },
    { name: 'outside of the cluster', broker: broker('http://b.example/x'), says: /name an address by --broker/ },
  ];
  for (const { name, broker, says } of refused) {
    it(`no place to forward to: ${name}`, () => assert.throws(() => placeOf(broker, own), says));
  }
});
