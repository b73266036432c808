import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differs } from '../../decide/differs.ts';
import { straysOf } from '../../decide/strays.ts';
import { addKinds, knownKind } from '../../domain/known-kinds.ts';

const service = { apiVersion: 'v1', kind: 'Service' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };

/** Whether an item that somebody else has put before ours is a difference. */
const differsByAnother = (kind: object, path: string, [ours, theirs]: readonly [ours: unknown, theirs: unknown]) => {
  const around = (list: unknown) =>
    path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), list) as object;
  return differs({ ...kind, ...around([ours]) }, { ...kind, ...around([theirs, ours]) });
};

const kinds: readonly (readonly [sentence: string, kind: object, path: string, differs: boolean])[] = [
  ['a Job, which Knudge never writes', { apiVersion: 'batch/v1', kind: 'Job' }, 'spec.template.spec.containers', false],
  ['a Service, whose ports have keys', service, 'spec.ports', false],
  [
    'an EndpointSlice, whose ports have none',
    { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    'ports',
    true,
  ],
  ['a ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, 'secrets', false],
  ['a PodTemplate', { apiVersion: 'v1', kind: 'PodTemplate' }, 'template.spec.containers', false],
  ['a ReplicationController', { apiVersion: 'v1', kind: 'ReplicationController' }, 'spec.template.spec.volumes', false],
  [
    'a PersistentVolume, whose options of the mount have no keys',
    { apiVersion: 'v1', kind: 'PersistentVolume' },
    'spec.mountOptions',
    true,
  ],
  ['a kind whose schema nobody knows', { apiVersion: 'example.dev/v1', kind: 'Strange' }, 'spec.ports', true],
  ['the metadata of such a kind', { apiVersion: 'example.dev/v1', kind: 'Strange' }, 'metadata.ownerReferences', false],
];
for (const [sentence, kind, path, expected] of kinds) {
  test(`the lists of ${sentence}: an item of others is ${expected ? 'a' : 'no'} difference`, () => {
    const items = [
      { name: 'a', port: 1, uid: '1' },
      { name: 'b', port: 2, uid: '2' },
    ] as const;
    assert.equal(differsByAnother(kind, path, items), expected);
  });
}

test('lists of a custom resource are compared as its definition says, by path', () => {
  const kind = { apiVersion: 'example.dev/v1', kind: 'Gateway' };
  const route = { of: { routes: { keys: ['host'] }, weights: { of: { '*': { of: { ports: { keys: ['port'] } } } } } } };
  addKinds({ 'example.dev/v1/Gateway': { plural: 'gateways', namespaced: true, shape: { of: { spec: route } } } });
  const hosts = [{ host: 'a' }, { host: 'b' }] as const;
  assert.equal(differsByAnother(kind, 'spec.routes', hosts), false);
  assert.equal(differsByAnother(kind, 'spec.others.routes', hosts), true);
  assert.equal(differsByAnother(kind, 'spec.weights.any.ports', [{ port: 1 }, { port: 2 }]), false);
  assert.equal(differsByAnother(kind, 'metadata.ownerReferences', [{ uid: '1' }, { uid: '2' }]), false);
});

test('a kind that is added again without its shape keeps the shape', () => {
  const kind = { apiVersion: 'example.dev/v1', kind: 'Router' };
  const known = { plural: 'routers', namespaced: true };
  const shape = { of: { spec: { of: { routes: { keys: ['host'] } } } } };
  addKinds({ 'example.dev/v1/Router': { ...known, shape } });
  addKinds({ 'example.dev/v1/Router': known });
  assert.deepEqual(knownKind(kind), { ...known, shape });
  assert.equal(differsByAnother(kind, 'spec.routes', [{ host: 'a' }, { host: 'b' }]), false);
});

test('a key of a map may be called as what every object inherits', () => {
  const config = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', data });
  const strange = { apiVersion: 'example.dev/v1', kind: 'Strange', spec: { constructor: ['a'] } };
  for (const key of Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')) {
    assert.ok(!differs(config({ [key]: 'a' }), config({ [key]: 'a' })), key);
    assert.ok(differs(config({ [key]: 'a' }), config({ [key]: 'b' })), key);
    assert.ok(differs(config({ [key]: 'a' }), config({})), key);
  }
  assert.ok(!differs(strange, strange));
  assert.deepEqual(straysOf(strange, strange, []), []);
});

test('what selects Pods is compared as a whole, whatever is in it', () => {
  const policy = (labels: object) => ({ ...deployment, spec: { selector: { matchLabels: labels } } });
  assert.ok(differs(policy({ a: '1' }), policy({ a: '1', b: '2' })));
  assert.ok(!differs(policy({ a: '1', b: '2' }), policy({ b: '2', a: '1' })));
});

test('a switch of a PersistentVolume that the API server does not store is no difference, and one that it stores is', () => {
  const volume = (nfs: object) => ({ apiVersion: 'v1', kind: 'PersistentVolume', spec: { nfs } });
  const path = { server: 's', path: '/p' };
  assert.ok(!differs(volume({ ...path, readOnly: false }), volume(path)));
  assert.ok(differs(volume({ ...path, readOnly: true }), volume(path)));
});

test('a set has what it should have in any order, beside what others have put into it', () => {
  const kept = (...finalizers: readonly string[]) => ({ ...service, metadata: { finalizers } });
  assert.ok(!differs(kept('a/b'), kept('c/d', 'a/b')));
  assert.ok(differs(kept('a/b'), kept('c/d')));
});
