import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectAt } from '../json.ts';
import { configMap, configMaps, said, tryApi } from './handle.ts';

describe('a creation', () => {
  it('gives name, uid, time and version', () => {
    const { call } = tryApi();
    const { status, body } = call(`POST ${configMaps}`, configMap('web', { data: { a: 'b' } }));
    assert.equal(status, 201);
    const { managedFields: _, ...metadata } = objectAt(body, 'metadata');
    assert.deepEqual(metadata, {
      name: 'web',
      namespace: 'default',
      uid: '00000000-0000-4000-8000-000000000005',
      resourceVersion: '5',
      creationTimestamp: '2026-11-21T08:00:00Z',
    });
    assert.equal(call(`GET ${configMaps}/web`).text, call(`GET ${configMaps}/web`).text);
  });

  it('makes up the end of a name', () => {
    const { call } = tryApi();
    const { body } = call(`POST ${configMaps}`, { metadata: { generateName: 'web-' } });
    assert.match(String(objectAt(body, 'metadata')['name']), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  const refusals: readonly (readonly [string, number, string, ...Parameters<ReturnType<typeof tryApi>['call']>])[] = [
    ['without a name', 422, 'name or generateName is required', `POST ${configMaps}`, {}],
    ['without JSON', 400, 'unexpected end of JSON input (<empty>)', `POST ${configMaps}`, ''],
    ['of a list', 400, 'cannot unmarshal array', `POST ${configMaps}`, []],
    ['of bad YAML', 400, 'yaml: ', `POST ${configMaps}`, 'a: [', { 'content-type': 'application/yaml' }],
    ['of text', 415, 'unknown format', `POST ${configMaps}`, 'a', { 'content-type': 'text/plain' }],
    ['of another kind', 400, 'cannot be handled as a ConfigMap', `POST ${configMaps}`, { kind: 'Secret' }],
    ['of no kind', 400, 'no kind "Foo" is registered', `POST ${configMaps}`, { kind: 'Foo' }],
    ['of no version', 400, 'unexpected GroupVersion string', `POST ${configMaps}`, { apiVersion: 'a/b/c' }],
    [
      'for another namespace',
      400,
      'does not match',
      `POST ${configMaps}`,
      configMap('a', { metadata: { namespace: 'x' } }),
    ],
    ['in no namespace', 404, 'namespaces "x" not found', 'POST /api/v1/namespaces/x/configmaps', configMap('a')],
    ['everywhere', 405, 'does not allow this method', 'POST /api/v1/configmaps', configMap('a')],
    [
      'with a version',
      500,
      'should not be set',
      `POST ${configMaps}`,
      configMap('a', { metadata: { resourceVersion: '1' } }),
    ],
    ['with a bad dryRun', 422, 'dryRun: Unsupported value', `POST ${configMaps}?dryRun=x`, configMap('a')],
    [
      'with a bad validation',
      422,
      'fieldValidation: Unsupported',
      `POST ${configMaps}?fieldValidation=x`,
      configMap('a'),
    ],
    ['by a bad manager', 422, 'invalid character U+0007', `POST ${configMaps}?fieldManager=a%07`, configMap('a')],
    ['by a long manager', 422, 'Too long', `POST ${configMaps}?fieldManager=${'a'.repeat(129)}`, configMap('a')],
    [
      'with a field twice',
      400,
      'duplicate field "data.a"',
      `POST ${configMaps}?fieldValidation=Strict`,
      '{"metadata":{"name":"a"},"data":{"a":"b","a":"c"}}',
    ],
  ];
  for (const [what, status, message, ...request] of refusals) {
    it(`is refused ${what}`, () => {
      const answer = tryApi().call(...request);
      assert.equal(answer.status, status);
      assert.ok(said(answer).includes(message), said(answer));
    });
  }

  it('warns of fields that are given twice or unknown', () => {
    const { headers } = tryApi().call(
      `POST ${configMaps}`,
      '{"metadata":{"name":"a","name":"a"},"list":[{"x":1},{"x":1,"x":2}]}',
    );
    assert.deepEqual(headers['warning'], [
      '299 - "duplicate field \\"metadata.name\\""',
      '299 - "duplicate field \\"list[1].x\\""',
      '299 - "unknown field \\"list\\""',
    ]);
  });

  it('happens once for a name, and waits while the old one goes', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a', { metadata: { finalizers: ['a.b/c'] } }));
    assert.equal(said(call(`POST ${configMaps}`, configMap('a'))), 'configmaps "a" already exists');
    call(`DELETE ${configMaps}/a`);
    assert.equal(
      said(call(`POST ${configMaps}`, configMap('a'))),
      'object is being deleted: configmaps "a" already exists',
    );
  });

  it('stores nothing when it is dry', () => {
    const { call } = tryApi();
    assert.equal(call(`POST ${configMaps}?dryRun=All`, configMap('a')).status, 201);
    assert.equal(call(`GET ${configMaps}/a`).status, 404);
  });

  it('of a Pod wants its ServiceAccount', () => {
    const spec = { containers: [{ name: 'a', image: 'b' }], serviceAccountName: 'nobody' };
    const answer = tryApi().call('POST /api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec });
    assert.equal(answer.status, 403);
    assert.match(said(answer), /serviceaccount "nobody" not found/);
  });
});
