import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readManifests } from '../../../src/local/manifests/read-manifests.ts';
import { faultsWith, folderWith, readWith } from './folder.ts';

describe('the objects of the manifests', () => {
  it('come in an order in which they can be applied', (t) => {
    const { objects } = readWith(t, {
      'deploy/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
      'deploy/z.yaml':
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: home }\n---\napiVersion: v1\nkind: ServiceAccount\nmetadata: { name: a }\n',
      'crds/c.yml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: x }\n',
    });
    const kinds = objects.map(({ kind }) => kind);
    const first = [
      'Namespace',
      'CustomResourceDefinition',
      'ServiceAccount',
      'ConfigMap',
      'Service',
      'Broker',
      'Trigger',
    ];
    assert.deepEqual(kinds.slice(0, -2), first);
    assert.deepEqual(kinds.slice(-2).sort(), ['ApiServerSource', 'PingSource']);
  });

  it('are read with anchors, without what Go does not take for a time, and without a kustomization', (t) => {
    const { objects } = readWith(t, {
      'deploy/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: &all { a: &a 2026-11-21, b: *a }\nbinaryData: { <<: *all }\n',
      'deploy/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n',
    });
    const map = objects.find(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(map && 'data' in map ? map.data : undefined, { a: '2026-11-21', b: '2026-11-21' });
    assert.deepEqual(map && 'binaryData' in map ? map.binaryData : undefined, { a: '2026-11-21', b: '2026-11-21' });
    assert.equal(
      objects.some(({ kind }) => kind === 'Kustomization'),
      false,
    );
  });

  it('a folder that is missing is empty', (t) => {
    const root = folderWith(t, {});
    assert.deepEqual(readManifests({ root }).objects, []);
  });
});

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

  const rows: readonly [name: string, files: Readonly<Record<string, string>>, line: string][] = [
    [
      'anything else of kustomize',
      overlay('namePrefix: a-'),
      `${file}:3: namePrefix: is not read locally: an overlay may have resources and patches by path`,
    ],
    [
      'a patch inside of the list',
      overlay('patches: [{ path: b.yaml, target: { kind: Broker } }]', { 'b.yaml': patch }),
      `${file}:3: patches[0].target: is not read locally: put the patch into a file, with the kind and name of what it changes`,
    ],
    [
      'a patch that is not there',
      overlay('patches: [{ path: c.yaml }]'),
      `${file}:3: patches[0]: there is no patch deploy/overlays/big/c.yaml`,
    ],
    [
      'a patch of nothing',
      overlay('patches: [{ path: b.yaml }]', { 'b.yaml': patch.replace('name: bus', 'name: other') }),
      'deploy/overlays/big/b.yaml:1: object: patches nothing: there is no Broker home/other of eventing.knative.dev',
    ],
    [
      'a patch of a built-in kind',
      {
        'deploy/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
        ...overlay('patches: [{ path: b.yaml }]', {
          'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
        }),
      },
      'deploy/overlays/big/b.yaml:1: object: kustomize merges the lists of built-in kinds by name, which is not done locally: patch Knative kinds only',
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
