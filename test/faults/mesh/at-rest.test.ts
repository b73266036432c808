import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, ObjectMeta } from '../../../packages/controller/domain/kube-object.ts';
import { backendPod, distributedService, message, object } from '../../build/objects.ts';
import { versionsOf, wrongsOf } from './at-rest.ts';

const namespace = 'shop';
const hello = {
  ...message('hello', 'costs $5'),
  status: { phase: 'Processed', observedGeneration: 1, podName: 'msg-hello' },
};
const web = {
  ...distributedService('web', {}, { finalizers: ['frp.io/cleanup'] }),
  status: { state: 'Running', observedGeneration: 1, endpoints: [{ address: '10.0.0.1' }] },
};
const parents = [live(hello, 'uid-hello'), live(web, 'uid-web')];
const config = { 'envoy.json': '"ROUND_ROBIN"', 'frpc.json': '{"remotePort":7001}' };
const objects = [
  ...parents,
  backendPod('backend', '10.0.0.1'),
  child(hello, ['Pod', 'msg-hello'], { spec: podSaying('costs $$5'), status: { phase: 'Running' } }),
  child(web, ['apps/v1 Deployment', 'frp-web'], { spec: { replicas: 1 } }),
  child(web, ['ConfigMap', 'frp-web-config'], { data: config }),
  child(web, ['ConfigMap', 'frp-web-endpoints'], { data: { 'eds.json': '"10.0.0.1"' } }),
  child(web, ['Service', 'frp-web-balanced']),
  child(web, ['Secret', 'frp-web-identity']),
];

const rows: readonly { name: string; is: string; now: (objects: readonly KubeObject[]) => readonly KubeObject[] }[] = [
  { name: 'a Message is missing', is: 'Message shop/hello is not there', now: without('hello') },
  { name: 'a Message is not through', is: 'hello is Pending', now: edit('hello', { status: { phase: 'Pending' } }) },
  {
    name: 'a spec is an older one',
    is: 'is not what its user wrote last',
    now: edit('hello', { spec: { text: 'old' } }),
  },
  { name: 'a status is an older one', is: 'older generation', now: meta('web', { generation: 2 }) },
  { name: 'a Pod is missing', is: 'Pod msg-hello is not there', now: without('msg-hello') },
  { name: 'a Pod says something else', is: 'says old', now: edit('msg-hello', { spec: podSaying('old') }) },
  { name: 'a Pod does not run', is: 'does not run', now: edit('msg-hello', { status: { phase: 'Pending' } }) },
  { name: 'a child is missing', is: 'ConfigMap frp-web-config is not there', now: without('frp-web-config') },
  { name: 'a child is of an owner before', is: 'is an orphan of', now: own('frp-web-balanced', 'uid-gone') },
  { name: 'a child lost its labels', is: 'lacks our label', now: meta('frp-web-identity', { labels: {} }) },
  { name: 'a child lost its hash', is: 'lacks its hash', now: meta('frp-web', { annotations: {} }) },
  { name: 'the tunnel was scaled', is: 'has 3 replicas', now: edit('frp-web', { spec: { replicas: 3 } }) },
  { name: 'a backend has moved', is: 'not of 10.0.0.2', now: edit('backend', { status: { podIP: '10.0.0.2' } }) },
  { name: 'the endpoints are empty', is: 'does not say "10.0.0.1"', now: edit('frp-web-endpoints', { data: {} }) },
  { name: 'the port is an older one', is: 'does not say 7001', now: edit('frp-web-config', { data: {} }) },
  { name: 'a finalizer is missing', is: 'web has no finalizer', now: meta('web', { finalizers: [] }) },
  { name: 'a deletion hangs', is: 'is still being deleted', now: meta('frp-web', { deletionTimestamp: 'now' }) },
  { name: 'a parent was not deleted', is: 'Message shop/more should be gone', now: and(message('more')) },
  {
    name: 'a child of another way to find backends is left',
    is: 'frp-web-backends is not wanted any more',
    now: and(child(web, ['Service', 'frp-web-backends'])),
  },
  {
    name: 'a label of an owner that is gone is left',
    is: 'the uid of an owner that is gone',
    now: and(object('Pod', 'old', { metadata: { labels: { 'knudge.dev/owner-uid': 'uid-gone' } } })),
  },
];

describe('what is not at rest', () => {
  it('is nothing where all is as it must be', async () => {
    assert.deepEqual(await wrongsOf(readerOf(objects), { namespace, parents }), []);
  });

  for (const { name, is, now } of rows) {
    it(`is told where ${name}`, async () => {
      const wrongs = await wrongsOf(readerOf(now(objects)), { namespace, parents });
      assert.ok(
        wrongs.some((wrong) => wrong.includes(is)),
        wrongs.join('; '),
      );
    });
  }

  it('shows in the versions where somebody has written', async () => {
    const before = await versionsOf(readerOf(objects), namespace);
    const after = await versionsOf(readerOf(meta('frp-web', { resourceVersion: '2' })(objects)), namespace);
    assert.deepEqual(
      after.filter((version) => !before.includes(version)),
      ['Deployment shop/frp-web  2'],
    );
  });
});

function live(parent: KubeObject, uid: string): KubeObject {
  return { ...parent, metadata: { ...parent.metadata, uid, generation: 1 } };
}

type Fields = Readonly<Record<string, unknown>>;

function child(owner: KubeObject, [kind, name]: readonly [string, string], fields: Fields = {}): KubeObject {
  const uid = `uid-${owner.metadata.name}`;
  const labels = { 'knudge.dev/owner-uid': uid, 'app.kubernetes.io/managed-by': 'knudge' };
  const { apiVersion, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind: owner.kind, name: metadata.name, uid, controller: true }];
  const annotations = { 'knudge.dev/spec-hash': 'h' };
  return object(kind, name, { ...fields, metadata: { labels, ownerReferences, annotations } });
}

function podSaying(value: string): unknown {
  return { containers: [{ env: [{ name: 'MESSAGE_TEXT', value }] }] };
}

function readerOf(all: readonly KubeObject[]): Parameters<typeof wrongsOf>[0] {
  return { list: async ({ kind }) => all.filter((one) => one.kind === kind) };
}

function edit(name: string, fields: Fields) {
  return (all: readonly KubeObject[]) => all.map((one) => (one.metadata.name === name ? { ...one, ...fields } : one));
}

function meta(name: string, fields: Partial<ObjectMeta>) {
  return (all: readonly KubeObject[]) =>
    all.map((one) => (one.metadata.name === name ? { ...one, metadata: { ...one.metadata, ...fields } } : one));
}

function own(name: string, uid: string) {
  return meta(name, { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid, controller: true }] });
}

function without(name: string) {
  return (all: readonly KubeObject[]) => all.filter((one) => one.metadata.name !== name);
}

function and(more: KubeObject) {
  return (all: readonly KubeObject[]) => [...all, more];
}
