import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectAt } from '../json.ts';
import { configMap, configMaps, crds, definition, merge, said, thing, things, tryApi } from './handle.ts';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

describe('an update', () => {
  it('that changes nothing writes nothing', () => {
    const { call } = tryApi();
    const before = call(`POST ${configMaps}`, configMap('a', { data: { a: 'b' } }));
    assert.deepEqual(call(`PUT ${configMaps}/a`, configMap('a', { data: { a: 'b' } })).body, before.body);
    assert.deepEqual(call(`PATCH ${configMaps}/a`, { data: { a: 'b' } }, merge).body, before.body);
  });

  const refusals: readonly (readonly [string, number, string, ...Parameters<ReturnType<typeof tryApi>['call']>])[] = [
    ['of an old version', 409, modified, `PUT ${configMaps}/a`, configMap('a', { metadata: { resourceVersion: '1' } })],
    [
      'of a bad version',
      500,
      'invalid syntax',
      `PUT ${configMaps}/a`,
      configMap('a', { metadata: { resourceVersion: 'x' } }),
    ],
    [
      'of another object',
      409,
      'UID in precondition: x',
      `PUT ${configMaps}/a`,
      configMap('a', { metadata: { uid: 'x' } }),
    ],
    ['under another name', 400, 'does not match the name on the URL', `PUT ${configMaps}/a`, configMap('b')],
    ['without a name', 400, 'name must be provided', `PUT ${configMaps}/a`, {}],
    ['of nothing', 404, 'configmaps "b" not found', `PUT ${configMaps}/b`, configMap('b')],
    [
      'by a patch of an old version',
      409,
      modified,
      `PATCH ${configMaps}/a`,
      { metadata: { resourceVersion: '1' } },
      merge,
    ],
    ['by a patch of nothing', 404, 'not found', `PATCH ${configMaps}/b`, {}, merge],
    ['by a patch without JSON', 400, 'error decoding patch: unexpected end', `PATCH ${configMaps}/a`, '{', merge],
    ['by a forced merge patch', 422, 'force: Forbidden', `PATCH ${configMaps}/a?force=true`, {}, merge],
    ['by a patch of no type', 415, 'Unsupported Media Type', `PATCH ${configMaps}/a`, {}],
    ['by a patch to another type', 422, 'cannot unmarshal number', `PATCH ${configMaps}/a`, { data: { a: 1 } }, merge],
    ['by a method that is none', 405, 'does not allow', `POST ${configMaps}/a`, {}],
    ['of all', 405, 'does not allow', `PUT ${configMaps}`, {}],
    ['of a status that is none', 404, 'could not find', `PUT ${configMaps}/a/status`, {}],
  ];
  for (const [what, status, message, ...request] of refusals) {
    it(`is refused ${what}`, () => {
      const { call } = tryApi();
      call(`POST ${configMaps}`, configMap('a'));
      const answer = call(...request);
      assert.equal(answer.status, status);
      assert.ok(said(answer).includes(message), said(answer));
    });
  }

  it('of a custom resource names the version it is based on', () => {
    const { call } = tryApi();
    call(`POST ${crds}`, definition());
    call(`POST ${things}`, thing('a'));
    assert.match(
      said(call(`PUT ${things}/a`, thing('a'))),
      /metadata.resourceVersion: Invalid value: 0: must be specified/,
    );
  });

  it('of a kind that allows it creates what is not there', () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const { call } = tryApi();
    const answer = call(`PUT ${leases}/a`, { metadata: { name: 'a', resourceVersion: '7' }, spec: {} });
    assert.equal(answer.status, 201);
    assert.match(said(call(`PUT ${leases}/b`, { metadata: { name: 'b', uid: 'x' } })), /UID in object meta: $/);
  });

  it('counts generations of what it changes besides metadata and status', () => {
    const { call } = tryApi();
    call(`POST ${crds}`, definition());
    call(`POST ${things}`, thing('a', { spec: { size: 1 } }));
    const generation = () => objectAt(call(`GET ${things}/a`).body, 'metadata')['generation'];
    call(`PATCH ${things}/a`, { metadata: { labels: { a: 'b' } } }, merge);
    assert.equal(generation(), 1);
    call(
      `PATCH ${things}/a/status`,
      { status: { ok: true }, spec: { size: 9 }, metadata: { labels: { c: 'd' } } },
      merge,
    );
    assert.equal(generation(), 1);
    const { body } = call(`PATCH ${things}/a`, { spec: { size: 2 }, status: { ok: false } }, merge);
    assert.equal(generation(), 2);
    assert.deepEqual([body['spec'], body['status']], [{ size: 2 }, { ok: true }]);
    assert.deepEqual(objectAt(body, 'metadata', 'labels'), { a: 'b' });
  });

  it('may be applied, and then owns its fields', () => {
    const { call } = tryApi();
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n';
    assert.equal(call(`PATCH ${configMaps}/a?fieldManager=one`, yaml, headers).status, 201);
    assert.equal(call(`PATCH ${configMaps}/a?fieldManager=one`, yaml, headers).status, 200);
    const other = call(`PATCH ${configMaps}/a?fieldManager=two`, yaml.replace('b}', 'c}'), headers);
    assert.equal(other.status, 409);
    assert.match(said(other), /conflict with "one"/);
    assert.match(said(call(`PATCH ${configMaps}/a`, yaml, headers)), /fieldManager: Required value/);
    assert.match(said(call(`PATCH ${configMaps}/a?fieldManager=one`, 'a: [', headers)), /error decoding YAML/);
    assert.match(
      said(call(`PATCH ${configMaps}/a?fieldManager=one`, '{"data":{"a":"\\ud83d"}}', headers)),
      /error converting YAML to JSON: yaml: found invalid Unicode character escape code$/,
    );
    assert.match(
      said(call(`PATCH ${configMaps}/b?fieldManager=one`, yaml, headers)),
      /does not match the name on the URL/,
    );
  });
});
