import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsWith, readWith } from './folder.ts';
import { file, overlay, overlays, patch } from './refusals/overlays.ts';

describe('an overlay', () => {
  it('is not read unless it is named', (t) => {
    const files = overlay('patches: [{ path: b.yaml }]', { 'b.yaml': patch });
    assert.equal(readWith(t, files).brokers[0]?.class, 'MTChannelBasedBroker');
  });

  it('changes what its patches name, and adds its own files', (t) => {
    const more = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: more }\n';
    const files = overlay('resources: [../../../eventing, more.yaml]\npatches: [{ path: b.yaml }]', {
      'b.yaml': patch,
      'more.yaml': more,
    });
    const { brokers, objects } = readWith(t, files, 'big');
    assert.equal(brokers[0]?.class, 'Kafka');
    assert.deepEqual(brokers[0]?.delivery, { retry: 9, backoff: 'linear', backoffDelayMs: 1000 });
    assert.equal(objects.filter(({ metadata }) => metadata.name === 'more').length, 1);
    const broker = objects.find(({ kind }) => kind === 'Broker');
    assert.ok(broker && 'spec' in broker);
    assert.deepEqual(broker.spec, { delivery: { retry: 9, backoffPolicy: 'linear', backoffDelay: 'PT1S' } });
  });

  it('makes ConfigMaps of files, under names that stay', (t) => {
    const options = '{ disableNameSuffixHash: true, labels: { a: b } }';
    const item = `{ name: made, namespace: home, files: [b.json], options: ${options} }`;
    const { objects } = readWith(t, overlay(`configMapGenerator: [${item}]`, { 'b.json': '{}' }), 'big');
    const made = objects.find(({ metadata }) => metadata.name === 'made');
    assert.deepEqual(made?.metadata, { name: 'made', namespace: 'home', labels: { a: 'b' } });
    assert.ok('data' in made);
    assert.deepEqual(made.data, { 'b.json': '{}' });
  });

  it('names its own line where the patch is wrong, and that of the base where the base is', (t) => {
    const kustomization = 'patches: [{ path: b.yaml }]';
    const wrong = overlay(kustomization, { 'b.yaml': patch.replace('retry: 9', 'retry: -9') });
    const range = 'must be a whole number from 0 to 2147483647';
    assert.deepEqual(faultsWith(t, wrong, 'big'), [
      `deploy/overlays/big/b.yaml:9: spec.delivery.retry: invalid value: -9, ${range}`,
    ]);
    const policy = overlay(kustomization, { 'b.yaml': patch.replace('retry: 9', 'backoffDelay: PT2S') });
    const broker =
      'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: bus, namespace: home }\nspec: { delivery: { retry: -1 } }\n';
    assert.deepEqual(faultsWith(t, { ...policy, 'eventing/broker.yaml': broker }, 'big'), [
      `eventing/broker.yaml:4: spec.delivery.retry: invalid value: -1, ${range}`,
    ]);
  });

  it('is changed by JSON patches of what their targets choose', (t) => {
    const files = overlay(`patches:
  - target: { group: eventing.knative.dev, kind: Broker, name: b.s }
    patch: |-
      - { op: replace, path: /spec/delivery/retry, value: 3 }
  - target: { kind: Trigger|Nothing }
    patch: '[{ op: add, path: /metadata/labels, value: { a: b } }]'`);
    const { brokers, objects } = readWith(t, files, 'big');
    assert.equal(brokers[0]?.delivery.retry, 3);
    for (const { kind, metadata } of objects)
      assert.deepEqual(metadata.labels, kind === 'Trigger' ? { a: 'b' } : undefined);
  });

  it('is changed by JSON patches for what an annotation says, if anything says it', (t) => {
    const retry = (annotation: string) => {
      const files = overlay(`patches:
  - target: { kind: Broker }
    patch: '[{ op: add, path: /metadata/annotations, value: { a.b/c: d } }]'
  - target: { kind: Broker, annotationSelector: ${annotation} }
    patch: '[{ op: replace, path: /spec/delivery/retry, value: 7 }]'`);
      return readWith(t, files, 'big').brokers[0]?.delivery.retry;
    };
    const other = retry('a.b/c=e');
    assert.notEqual(other, 7);
    assert.equal(retry('a.b/c=d'), 7);
  });

  it('changes kinds and names only where it says so, and takes objects away', (t) => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: r }\n';
    const change = `'[{ op: replace, path: /kind, value: Role }, { op: replace, path: /metadata/name, value: s }]'`;
    const patched = (options: string) =>
      overlay(`patches: [{ target: { name: r }, options: {${options}}, patch: ${change} }]`);
    const named = (options: string) =>
      readWith(t, { 'deploy/r.yaml': role, ...patched(options) }, 'big')
        .objects.filter(({ apiVersion }) => apiVersion.startsWith('rbac'))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(named(''), ['ClusterRole r']);
    assert.deepEqual(named('allowKindChange: true, allowNameChange: true'), ['Role s']);
    const gone = overlay('patches: [{ path: b.yaml }]', { 'b.yaml': `$patch: delete\n${role}` });
    assert.equal(
      readWith(t, { 'deploy/r.yaml': role, ...gone }, 'big').objects.filter(({ kind }) => kind === 'ClusterRole')
        .length,
      0,
    );
  });

  it('names the line of the list where a JSON patch sets something wrong', (t) => {
    const files = overlay(`resources: []
patches:
  - target: { kind: Broker }
    patch: '[{ op: replace, path: /spec/delivery/retry, value: -9 }]'`);
    const range = 'must be a whole number from 0 to 2147483647';
    assert.deepEqual(faultsWith(t, files, 'big'), [`${file}:5: spec.delivery.retry: invalid value: -9, ${range}`]);
  });

  for (const [name, files, line] of overlays) {
    it(`is refused with ${name}`, (t) => assert.deepEqual(faultsWith(t, files, 'big'), [line]));
  }

  it('that is not there is refused with those that are', (t) => {
    assert.deepEqual(faultsWith(t, overlay(''), 'small'), ['there is no overlay small; deploy/overlays has big']);
    assert.deepEqual(faultsWith(t, {}, 'small'), ['there is no overlay small; deploy/overlays has no overlays']);
  });

  it('whose list cannot be read is refused', (t) => {
    assert.deepEqual(faultsWith(t, overlay('a: ['), 'big'), [
      `${file}:4: Flow sequence in block collection must be sufficiently indented and end with a ]`,
    ]);
  });
});
