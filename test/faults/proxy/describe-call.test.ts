import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../resources/managed/kinds.ts';
import { describeCall, withCreatedName } from '../../../packages/controller/testing/calls/describe-call.ts';

const rows = [
  ['GET', '/api/v1/namespaces/shop/pods/web', '', 'get pods v1/Pod shop/web'],
  ['GET', '/api/v1/namespaces/shop/pods', '', 'list pods v1/Pod shop/'],
  [
    'GET',
    '/apis/frp.io/v1beta1/distributedservices',
    '',
    'list distributedservices frp.io/v1beta1/DistributedService /',
  ],
  ['POST', '/api/v1/namespaces/shop/secrets', 'application/json', 'create secrets v1/Secret shop/'],
  [
    'PUT',
    '/apis/apps/v1/namespaces/shop/deployments/web',
    'application/json',
    'update deployments apps/v1/Deployment shop/web',
  ],
  [
    'PATCH',
    '/apis/apps/v1/namespaces/shop/deployments/web',
    'application/apply-patch+yaml',
    'apply deployments apps/v1/Deployment shop/web',
  ],
  [
    'PATCH',
    '/apis/apps/v1/namespaces/shop/deployments/web/scale',
    'application/json-patch+json',
    'patch-json deployments/scale apps/v1/Deployment shop/web',
  ],
  [
    'PATCH',
    '/apis/myorg.dev/v1/namespaces/shop/messages/hi/status',
    'application/merge-patch+json; charset=utf-8',
    'patch-merge messages/status myorg.dev/v1/Message shop/hi',
  ],
  ['DELETE', '/api/v1/namespaces/shop/pods/a%3Ab', 'application/json', 'delete pods v1/Pod shop/a:b'],
  ['GET', '/api/v1/namespaces/shop', '', 'get namespaces v1/Namespace /shop'],
  ['GET', '/api/v1/namespaces/shop/status', '', 'get namespaces/status v1/Namespace /shop'],
] as const;

test('a call is named by method, path and content type', () => {
  for (const [method, path, contentType, wanted] of rows) {
    const { verb, resource, ref } = describeCall({ method, path, query: new URLSearchParams(), contentType });
    const said = `${verb} ${resource} ${ref.apiVersion}/${ref.kind} ${ref.namespace}/${ref.name}`;
    assert.equal(said, wanted);
  }
});

test('a creation has the name of its body, and no other call has', () => {
  const line = { path: '/api/v1/namespaces/shop/pods', query: new URLSearchParams(), contentType: 'application/json' };
  const body = { metadata: { name: 'web' } };
  assert.equal(withCreatedName(describeCall({ ...line, method: 'POST' }), body).ref.name, 'web');
  assert.equal(withCreatedName(describeCall({ ...line, method: 'POST' }), undefined).ref.name, '');
  assert.equal(withCreatedName(describeCall({ ...line, method: 'GET' }), body).ref.name, '');
});

test('what is no call on a resource is refused', () => {
  const refused = [
    ['GET', '/healthz', '', /not the path of a resource/],
    ['GET', '/api/v1', '', /not the path of a resource/],
    ['GET', '/api/v1/namespaces/shop/pods/web/log/more', '', /not the path of a resource/],
    ['PATCH', '/api/v1/namespaces/shop/pods/web', 'application/strategic-merge-patch+json', /Knudge sends none such/],
    ['OPTIONS', '/api/v1/namespaces/shop/pods/web', '', /not a method/],
    ['GET', '/api/v1/namespaces/shop/bindings/web', '', /no kind for bindings: call addKinds\(.* plural: 'bindings'/],
  ] as const;
  for (const [method, path, contentType, because] of refused) {
    assert.throws(() => describeCall({ method, path, query: new URLSearchParams(), contentType }), because);
  }
});
