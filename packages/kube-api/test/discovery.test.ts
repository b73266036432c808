import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import type { Called } from './handle.ts';
import { crds, definition, said, thing, things, tryApi } from './handle.ts';

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

function listAt(body: JsonObject, key: string): readonly JsonObject[] {
  const list = body[key];
  return isArray(list) ? list.filter(isObject) : [];
}

function resources({ body }: Called): readonly unknown[] {
  return listAt(body, 'resources').map(({ name }) => name);
}

describe('discovery', () => {
  it('names versions, groups and resources', () => {
    const { call } = tryApi();
    assert.deepEqual(call('GET /api').body['versions'], ['v1']);
    assert.equal(listAt(call('GET /apis').body, 'groups')[0]?.['name'], 'apps');
    assert.equal(objectAt(call('GET /apis/apps').body, 'preferredVersion')['version'], 'v1');
    assert.ok(resources(call('GET /api/v1')).includes('namespaces/finalize'));
    assert.deepEqual(resources(call('GET /apis/apps/v1')).slice(3, 6), [
      'deployments',
      'deployments/scale',
      'deployments/status',
    ]);
    assert.equal(call('GET /apis/apps/v7').status, 404);
    assert.equal(call('GET /apis/nope').status, 404);
  });

  it('has a document of /openapi/v2 without schemas, as JSON and as protobuf', () => {
    const { call } = tryApi();
    assert.equal(call('GET /openapi/v2').body['swagger'], '2.0');
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const { text, headers } = call('GET /openapi/v2', undefined, { accept });
    assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    assert.ok(text.startsWith('\n\u00032.0\u0012'), text);
  });

  it('tells everything at once', () => {
    const { call } = tryApi();
    const core = listAt(call('GET /api', undefined, aggregated).body, 'items');
    assert.equal(core.length, 1);
    const { body, headers } = call('GET /apis', undefined, aggregated);
    assert.equal(body['kind'], 'APIGroupDiscoveryList');
    assert.match(String(headers['content-type']), /as=APIGroupDiscoveryList/);
    assert.ok(listAt(body, 'items').some(({ metadata }) => objectAt(metadata ?? null)['name'] === 'apps'));
  });

  it('follows definitions at once, newest stable version first', () => {
    const { call, settle } = tryApi();
    const crd = definition();
    const [version = {}] = listAt(objectAt(crd, 'spec'), 'versions');
    const versions = [
      version,
      { ...version, name: 'v1beta1', storage: false, deprecated: true },
      { ...version, name: 'v2', storage: false },
    ];
    call(`POST ${crds}`, { ...crd, spec: { ...objectAt(crd, 'spec'), versions } });
    const group = call('GET /apis/example.org').body;
    assert.deepEqual(
      listAt(group, 'versions').map((one) => one['version']),
      ['v2', 'v1', 'v1beta1'],
    );
    assert.ok(resources(call('GET /apis/example.org/v2')).includes('things/scale'));
    call(`POST ${things}`, thing('a'));
    const old = call('GET /apis/example.org/v1beta1/namespaces/default/things/a');
    assert.equal(old.body['apiVersion'], 'example.org/v1beta1');
    assert.match(String(old.headers['warning']), /example.org\/v1beta1 Thing is deprecated/);
    const put = { ...old.body, spec: { size: 2 } };
    assert.equal(call('PUT /apis/example.org/v1beta1/namespaces/default/things/a', put).status, 200);
    assert.deepEqual(call(`GET ${things}/a`).body['spec'], { size: 2 });
    call(`DELETE ${crds}/things.example.org`);
    settle();
    assert.equal(call('GET /apis/example.org').status, 404);
  });
});

describe('a path', () => {
  const rows: readonly (readonly [string, number, string])[] = [
    ['GET /nope', 404, '404 page not found'],
    ['GET /apis/nope/v1/x', 404, '404 page not found'],
    ['GET /healthz/x', 404, '404 page not found'],
    ['GET /apis/eventing.knative.dev/v1/brokers/x', 404, '404 page not found'],
    ['POST /version', 404, '404 page not found'],
    ['GET /openapi/v3/nope', 404, '404 page not found'],
    ['GET /openapi/v2/nope', 404, '404 page not found'],
    ['GET /api/v1/nopes', 404, 'could not find the requested resource'],
    ['GET /api/v1/pods/x', 404, 'could not find the requested resource'],
    ['GET /api/v1/namespaces/default/nodes/x', 404, 'could not find the requested resource'],
    ['GET /api/v1/namespaces/default/pods/x/log/y', 404, 'could not find the requested resource'],
    ['GET /api/v1/namespaces/default/configmaps/x/nope', 404, 'could not find the requested resource'],
    ['GET /api/v1/namespaces/default/pods/x/log', 404, 'not found'],
    ['GET /api/v1/namespaces/default/pods/x/exec', 501, 'runs no process'],
    ['POST /api/v1/namespaces/default/configmaps/x/binding', 404, 'could not find the requested resource'],
    ['GET /api/v1/namespaces/default/pods/x/binding', 405, 'does not allow this method'],
    ['GET /api/v1/namespaces/%zz', 404, '%zz'],
    ['POST /api/v1/namespaces/default/pods/x/binding', 400, 'json parse error'],
    ['DELETE /api/v1/namespaces/default/status', 405, 'does not allow this method'],
    ['GET /version', 200, 'v1.35'],
    ['GET /openapi/v3', 200, 'serverRelativeURL'],
    ['GET /openapi/v3/api/v1', 200, 'components'],
    ['GET /api/v1/namespaces/default/status', 200, 'Active'],
  ];
  for (const [line, status, text] of rows) {
    it(`${line} is answered with ${status}`, () => {
      const answer = tryApi().call(line);
      assert.equal(answer.status, status);
      assert.ok(answer.text.includes(text), answer.text.slice(0, 300));
    });
  }
});

describe('a binding', () => {
  it('puts a Pod on a node once', () => {
    const { call } = tryApi();
    const pods = '/api/v1/namespaces/default/pods';
    call(`POST ${pods}`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }] } });
    const bind = (name: string) => call(`POST ${pods}/${name}/binding`, { target: { kind: 'Node', name: 'n' } });
    assert.equal(bind('p').status, 201);
    assert.equal(objectAt(call(`GET ${pods}/p`).body, 'spec')['nodeName'], 'n');
    assert.match(said(bind('p')), /pods\/binding "p": pod p is already assigned to node "n"/);
    assert.equal(bind('q').status, 404);
  });
});

describe('the client of the same process', () => {
  it('reads, writes and hears', () => {
    const { api, call } = tryApi();
    const { client } = api;
    const heard: string[] = [];
    const stop = client.subscribe(({ type, object }) => void heard.push(`${type} ${object.metadata.name}`));
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a' };
    const made = client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default', labels: { a: 'a' } },
    });
    client.update({ ...made, metadata: { ...made.metadata, labels: { a: 'b' } } });
    assert.throws(
      () => client.update({ ...made, metadata: { ...made.metadata, labels: { a: 'c' } } }),
      /has been modified/,
    );
    assert.deepEqual(client.get(ref)?.metadata.labels, { a: 'b' });
    assert.equal(client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' }).length, 1);
    assert.equal(client.all('default').length, 1);
    assert.equal(client.all().length, 5);
    assert.match(call('GET /api/v1/namespaces/default/configmaps/a').text, /kube-controller-manager/);
    client.delete(ref);
    stop();
    assert.throws(() => client.delete(ref), /not found/);
    assert.throws(() => client.updateStatus(made), /not found/);
    assert.throws(() => client.get({ ...ref, kind: 'Nope' }), /could not find/);
    assert.equal(client.get(ref), undefined);
    assert.deepEqual(heard, ['ADDED a', 'MODIFIED a', 'DELETED a']);
  });
});
