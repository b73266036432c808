import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../../resources/managed/kinds.ts';
import { childRoles } from '../../../../resources/distributed-service/names.ts';
import { collectionPath, objectPath, resourceName } from '../../cluster/paths.ts';
import type { KnudgeError } from '../../domain/errors.ts';

const rows = [
  ['v1', 'Pod', '/api/v1/namespaces/shop/pods/web'],
  ['v1', 'ConfigMap', '/api/v1/namespaces/shop/configmaps/web'],
  ['v1', 'Secret', '/api/v1/namespaces/shop/secrets/web'],
  ['v1', 'Service', '/api/v1/namespaces/shop/services/web'],
  ['v1', 'Namespace', '/api/v1/namespaces/web'],
  ['apps/v1', 'Deployment', '/apis/apps/v1/namespaces/shop/deployments/web'],
  ['apps/v1', 'StatefulSet', '/apis/apps/v1/namespaces/shop/statefulsets/web'],
  ['apps/v1', 'ReplicaSet', '/apis/apps/v1/namespaces/shop/replicasets/web'],
  ['discovery.k8s.io/v1', 'EndpointSlice', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/web'],
  ['events.k8s.io/v1', 'Event', '/apis/events.k8s.io/v1/namespaces/shop/events/web'],
  ['frp.io/v1beta1', 'DistributedService', '/apis/frp.io/v1beta1/namespaces/shop/distributedservices/web'],
  ['myorg.dev/v1', 'Message', '/apis/myorg.dev/v1/namespaces/shop/messages/web'],
] as const;

for (const [apiVersion, kind, path] of rows) {
  test(`${kind} is at ${path}`, () => {
    assert.equal(objectPath({ apiVersion, kind, namespace: 'shop', name: 'web' }), path);
  });
}

test('a subresource ends the path and the name of the resource', () => {
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  assert.equal(objectPath(ref, 'scale'), '/apis/apps/v1/namespaces/shop/deployments/web/scale');
  assert.equal(resourceName(ref, 'scale'), 'deployments/scale');
});

test('an empty namespace lists all of them, and names no object', () => {
  const all = { apiVersion: 'v1', kind: 'Pod', namespace: '' };
  assert.equal(collectionPath(all), '/api/v1/pods');
  assert.throws(() => objectPath({ ...all, name: 'web' }), { code: 'invalid-request' });
});

test('names are encoded as one segment', () => {
  const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'a b', name: 'x?y#ö' };
  assert.equal(objectPath(ref), '/api/v1/namespaces/a%20b/pods/x%3Fy%23%C3%B6');
});

for (const name of ['', '.', '..', 'web/status', '../../secrets/x', 'a%2fb']) {
  for (const place of ['name', 'namespace'] as const) {
    test(`${JSON.stringify(name)} as ${place} is refused before anything is sent`, () => {
      const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', [place]: name };
      assert.throws(
        () => objectPath(ref),
        (error: KnudgeError) => error.code === 'invalid-request' && error.retry === 'never',
      );
    });
  }
}

test('a kind that Knudge does not know is a fault of ours', () => {
  const ref = { apiVersion: 'v1', kind: 'Ghost', namespace: '', name: 'a' };
  assert.throws(() => objectPath(ref), { code: 'internal', message: /knows no kind Ghost of v1/ });
});

test('for a kind that Knudge does not know, the message says what a user writes, and where', () => {
  const ref = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', namespace: '', name: 'a' };
  const call = "addKinds({ 'networking.k8s.io/v1/IngressClass': { plural: '<plural>', namespaced: <true or false> } })";
  assert.throws(() => objectPath(ref), {
    message: `Knudge knows no kind IngressClass of networking.k8s.io/v1: call ${call} in functions/table.ts or in the file that names the kind, or, for a custom resource, add its definition to crds/ and run \`npx knudge generate\``,
  });
});

test('every child has a path', () => {
  for (const child of Object.values(childRoles)) {
    assert.ok(objectPath({ ...child, namespace: 'shop', name: 'web' }).endsWith('/web'));
  }
});
