import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsWith, readWith } from './folder.ts';

const overlay = (kustomization: string, files: Readonly<Record<string, string>> = {}) => ({
  'deploy/overlays/big/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
${kustomization}
`,
  ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`deploy/overlays/big/${name}`, text])),
});

const patch = `apiVersion: eventing.knative.dev/v1
kind: Broker
metadata:
  name: bus
  namespace: home
  annotations: { eventing.knative.dev/broker.class: Kafka }
spec:
  delivery:
    retry: 9
    timeout: null
`;

const remove = '[{op: remove, path: /spec}]';
const file = 'deploy/overlays/big/kustomization.yaml';

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

  const rows: readonly [name: string, files: Readonly<Record<string, string>>, line: string][] = [
    [
      'anything else of kustomize',
      overlay('namePrefix: a-'),
      `${file}:3: namePrefix: is not read locally: an overlay may have resources, components and patches`,
    ],
    [
      'a file and a target for it',
      overlay('patches: [{ path: b.yaml, target: { kind: Broker } }]', { 'b.yaml': patch }),
      `${file}:3: patches[0].target: is not read locally beside a path: the file says the kind and name of what it changes`,
    ],
    [
      'a patch that is not there',
      overlay('patches: [{ path: c.yaml }]'),
      `${file}:3: patches[0]: there is no patch deploy/overlays/big/c.yaml`,
    ],
    [
      'a patch of nothing',
      overlay('patches: [{ path: b.yaml }]', { 'b.yaml': patch.replace('name: bus', 'name: other') }),
      'deploy/overlays/big/b.yaml:1: object: patches nothing: there is no such object',
    ],
    [
      'a patch of a built-in kind',
      {
        'deploy/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
        ...overlay('patches: [{ path: b.yaml }]', {
          'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
        }),
      },
      'deploy/overlays/big/b.yaml:1: object: kustomize merges the lists of built-in kinds by name, which is not done locally: give a JSON patch, or patch Knative kinds',
    ],
    [
      'a JSON patch of nothing',
      overlay(`patches: [{ target: { kind: Brok }, patch: '${remove}' }]`),
      `${file}:3: patches[0]: patches nothing: there is no such object`,
    ],
    [
      'a JSON patch that does not fit',
      overlay(`patches: [{ target: { kind: Broker }, patch: '[{op: remove, path: /spec/none}]' }]`),
      `${file}:3: patches[0]: does not fit Broker home/bus of eventing.knative.dev`,
    ],
    [
      'a patch in the list that is none of JSON',
      overlay(`patches: [{ target: { kind: Broker }, patch: 'spec: {}' }]`),
      `${file}:3: patches[0].patch: is not read locally: give a list of JSON patches`,
    ],
    [
      'a target by labels',
      overlay(`patches: [{ target: { kind: Broker, labelSelector: a=b }, patch: '${remove}' }]`),
      `${file}:3: patches[0].target.labelSelector: unknown field`,
    ],
    [
      'a target that is no regular expression',
      overlay(`patches: [{ target: { kind: '(' }, patch: '[]' }]`),
      `${file}:3: patches[0].target.kind: is no regular expression`,
    ],
    [
      'a directive in a patch',
      overlay('patches: [{ path: b.yaml }]', { 'b.yaml': `$patch: replace\n${patch}` }),
      'deploy/overlays/big/b.yaml:1: object: is not read locally: $patch may be delete',
    ],
    [
      'a component that is not there',
      overlay('components: [../../components/none]'),
      `${file}:3: components[0]: there is no component deploy/components/none`,
    ],
    [
      'another namespace',
      overlay('namespace: elsewhere'),
      `${file}:3: namespace: is not read locally: it must be that of all objects`,
    ],
    [
      'a file of another folder',
      overlay('resources: [../../../examples/x.yaml]'),
      `${file}:3: resources[0]: examples/x.yaml is neither in crds, deploy, eventing nor a file beside this one`,
    ],
  ];
  for (const [name, files, line] of rows) {
    it(`is refused with ${name}`, (t) => assert.deepEqual(faultsWith(t, files, 'big'), [line]));
  }

  it('that is not there is refused with those that are', (t) => {
    assert.deepEqual(faultsWith(t, overlay(''), 'small'), ['there is no overlay small: big']);
    assert.deepEqual(faultsWith(t, {}, 'small'), ['there is no overlay small: there is none at all']);
  });

  it('whose list cannot be read is refused', (t) => {
    assert.deepEqual(faultsWith(t, overlay('a: ['), 'big'), [
      `${file}:4: Flow sequence in block collection must be sufficiently indented and end with a ]`,
    ]);
  });
});
