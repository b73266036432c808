import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrd } from '../../../test/crds/read.ts';
import { established, storedVersions } from '../crd/establish.ts';
import { openApiDocument, openApiIndex } from '../http/openapi.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { createKinds } from '../schema/kinds.ts';
import { conform, kindOf } from './conforming.ts';

const service = readCrd('distributedservices') as unknown as JsonObject;
const time = '2026-01-01T00:00:00Z';
const crd = (names: object, versions: readonly object[] = [{ name: 'v1', served: true, storage: true }]) =>
  ({
    metadata: { name: 'gads.frp.io' },
    spec: { group: 'frp.io', scope: 'Cluster', names: { plural: 'gads', ...names }, versions },
  }) as unknown as JsonObject;

test('each served version of a definition is a kind, until it is withdrawn', () => {
  const kinds = createKinds();
  const before = kinds.all().length;
  kinds.define(service);
  const found = kinds.find({ group: 'frp.io', version: 'v1', plural: 'distributedservices' });
  assert.equal(found, kinds.ofKind('frp.io/v1', 'DistributedService'));
  assert.equal(found?.storageVersion, 'v1beta1');
  assert.deepEqual(found?.scale, {
    spec: '.spec.backends.replicas',
    status: '.status.activeEndpoints',
    selector: '.status.selector',
  });
  assert.equal(found?.columns[0]?.name, 'Type');
  assert.equal(kinds.all().length, before + 2);
  kinds.withdraw('distributedservices.frp.io');
  assert.equal(kinds.find({ group: 'frp.io', version: 'v1', plural: 'distributedservices' }), undefined);
});

test("a definition with the name of one of Knative's stands before it", () => {
  const kinds = createKinds();
  const spec = { ...objectAt(crd({ kind: 'Broker', plural: 'brokers' }), 'spec'), group: 'eventing.knative.dev' };
  kinds.define({ metadata: { name: 'brokers.eventing.knative.dev' }, spec });
  assert.equal(kinds.ofKind('eventing.knative.dev/v1', 'Broker')?.namespaced, false);
  kinds.withdraw('brokers.eventing.knative.dev');
  assert.equal(kinds.ofKind('eventing.knative.dev/v1', 'Broker')?.namespaced, true);
});

test('a deprecated version says what to use instead, or what its definition says', () => {
  const kinds = createKinds();
  const old = { served: true, deprecated: true };
  const versions = [
    { name: 'v1beta1', ...old },
    { name: 'v1alpha1', ...old, deprecationWarning: 'no more' },
    { name: 'v2', served: true, storage: true },
    { name: 'v3', ...old },
  ];
  kinds.define(crd({ kind: 'Gad' }, versions));
  assert.deepEqual(
    versions.map(({ name }) => kinds.ofKind(`frp.io/${name}`, 'Gad')?.deprecation),
    ['frp.io/v1beta1 Gad is deprecated; use frp.io/v2 Gad', 'no more', undefined, 'frp.io/v3 Gad is deprecated'],
  );
  assert.deepEqual(
    kinds.ofKind('frp.io/v2', 'Gad')?.columns.map(({ name }) => name),
    ['Age'],
  );
});

test('a definition is established when its names are free', () => {
  const kinds = createKinds();
  const made = established(service, kinds, time);
  const accepted = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const ready = {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
  assert.deepEqual(made['status'], {
    conditions: [accepted, ready].map((condition) => ({ ...condition, lastTransitionTime: time })),
    acceptedNames: objectAt(service, 'spec', 'names'),
    storedVersions: ['v1beta1'],
  });
  kinds.define(service);
  assert.deepEqual(established(made, kinds, 'later')['status'], made['status']);
});

for (const [names, reason, taken] of [
  [{ kind: 'DistributedService', listKind: 'GadList' }, 'KindConflict', 'DistributedService'],
  [{ kind: 'Gad', listKind: 'DistributedServiceList' }, 'ListKindConflict', 'DistributedServiceList'],
  [{ kind: 'Gad', shortNames: ['dsvc'] }, 'ShortNamesConflict', 'dsvc'],
  [{ kind: 'Gad', singular: 'distributedservice' }, 'SingularConflict', 'distributedservice'],
] as const) {
  test(`a definition with the name ${taken} of another is not established: ${reason}`, () => {
    const kinds = createKinds();
    kinds.define(service);
    const { conditions, acceptedNames } = objectAt(established(crd(names), kinds, time), 'status');
    const [first, second] = conditions as readonly JsonObject[];
    assert.deepEqual([first?.['reason'], first?.['message']], [reason, `"${taken}" is already in use`]);
    assert.deepEqual([second?.['status'], second?.['reason']], ['False', 'NotAccepted']);
    assert.deepEqual(acceptedNames, { plural: 'gads', kind: '' });
  });
}

test('a new definition has no conditions yet, and remembers the versions in which objects were stored', () => {
  const kind = kindOf(createKinds(), 'apiextensions.k8s.io/v1 CustomResourceDefinition');
  const { object, said } = conform(kind, service);
  assert.equal(said, '');
  assert.deepEqual(object['status'], {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: ['v1beta1'],
  });
  assert.deepEqual(storedVersions({ ...service, status: { storedVersions: ['v1alpha1'] } }), ['v1alpha1', 'v1beta1']);
  const spec = { ...objectAt(object, 'spec'), scope: 'Cluster' };
  assert.equal(
    conform(kind, { ...object, spec }, { current: object }).said,
    'spec.scope: Invalid value: "Cluster": field is immutable',
  );
});

test('the OpenAPI document of a group has its kinds, what they refer to, and says that fields are validated', () => {
  const kinds = createKinds();
  kinds.define(service);
  const { paths } = openApiIndex(kinds);
  assert.ok(Object.keys(objectAt(paths)).includes('apis/frp.io/v1') && Object.keys(objectAt(paths)).includes('api/v1'));
  assert.equal(openApiDocument(kinds, 'apis/none/v1'), undefined);
  const document = openApiDocument(kinds, 'apis/frp.io/v1');
  const schema = objectAt(document, 'components', 'schemas', 'io.frp.v1.DistributedService');
  assert.deepEqual(schema['x-kubernetes-group-version-kind'], [
    { group: 'frp.io', version: 'v1', kind: 'DistributedService' },
  ]);
  assert.ok('spec' in objectAt(schema, 'properties') && 'description' in objectAt(schema, 'properties', 'apiVersion'));
  const { patch } = objectAt(document, 'paths', '/apis/frp.io/v1/namespaces/{namespace}/distributedservices/{name}');
  assert.ok(JSON.stringify(patch).includes('"fieldValidation"'));
  const core = objectAt(openApiDocument(kinds, 'api/v1'), 'components', 'schemas');
  assert.ok('io.k8s.api.core.v1.PodSpec' in core && 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' in core);
});
