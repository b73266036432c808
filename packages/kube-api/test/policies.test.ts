import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../json.ts';
import { configMap, configMaps, crds, definition, thing, things, tryApi } from './handle.ts';

const group = '/apis/admissionregistration.k8s.io/v1';

/** An API with one policy that denies, bound to everything. */
function withPolicy(spec: JsonObject, rule: JsonObject = {}) {
  const tried = tryApi();
  const rules = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], ...rule };
  const { status, text } = tried.call(`POST ${group}/validatingadmissionpolicies`, {
    metadata: { name: 'web' },
    spec: { matchConstraints: { resourceRules: [rules] }, validations: [{ expression: 'false' }], ...spec },
  });
  assert.equal(status, 201, text);
  const bound = { policyName: 'web', validationActions: ['Deny'] };
  tried.call(`POST ${group}/validatingadmissionpolicybindings`, { metadata: { name: 'web' }, spec: bound });
  return tried;
}

test('controllers of this process are judged too', () => {
  const { api } = withPolicy({});
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } };
  assert.throws(() => api.client.create(namespace), /namespaces "other" is forbidden: ValidatingAdmissionPolicy 'web'/);
});

test('a policy judges no policy, so that it can be taken away', () => {
  const { call } = withPolicy({});
  assert.equal(call(`DELETE ${group}/validatingadmissionpolicies/web`).status, 200);
  assert.equal(call(`POST ${configMaps}`, configMap('web')).status, 201);
});

test('a rule names operations, resources, names and scopes', () => {
  const rows: readonly (readonly [JsonObject, number])[] = [
    [{ operations: ['CREATE'] }, 422],
    [{ operations: ['UPDATE', 'DELETE'] }, 201],
    [{ resources: ['configmaps'] }, 422],
    [{ resources: ['configmaps/status', 'pods'] }, 201],
    [{ resources: ['*/*'] }, 422],
    [{ resources: ['configmaps'], resourceNames: ['web'] }, 422],
    [{ resources: ['configmaps'], resourceNames: ['other'] }, 201],
    [{ scope: 'Namespaced' }, 422],
    [{ scope: 'Cluster' }, 201],
    [{ apiGroups: ['apps'] }, 201],
    [{ apiVersions: ['v2'] }, 201],
  ];
  for (const [rule, status] of rows) {
    assert.equal(
      withPolicy({}, rule).call(`POST ${configMaps}`, configMap('web')).status,
      status,
      JSON.stringify(rule),
    );
  }
});

test('a custom resource is judged in the version that the rule names', () => {
  const spec = { validations: [{ expression: "object.apiVersion == 'example.org/v1' && object.spec.size < 3" }] };
  const { call } = withPolicy(spec, { apiGroups: ['example.org'] });
  call(`POST ${crds}`, definition());
  assert.equal(call(`POST ${things}`, thing('small', { spec: { size: 2 } })).status, 201);
  assert.equal(call(`POST ${things}`, thing('big', { spec: { size: 3 } })).status, 422);
});

test('optional fields are compared, and two that are absent are the same', () => {
  const expression = 'object == null || oldObject == null || object.?data == oldObject.?data';
  const { call } = withPolicy({ validations: [{ expression }] }, { resources: ['configmaps'] });
  call(`POST ${configMaps}`, configMap('web'));
  assert.equal(call(`PUT ${configMaps}/web`, configMap('web', { metadata: { labels: { a: 'b' } } })).status, 200);
  assert.equal(call(`PUT ${configMaps}/web`, configMap('web', { data: { a: 'b' } })).status, 422);
});

test('errors of several conditions are said together', () => {
  const condition = (name: string) => ({ name, expression: `object.${name} == 'x'` });
  const { call } = withPolicy({ matchConditions: [condition('a'), condition('b')] }, { resources: ['configmaps'] });
  const { body } = call(`POST ${configMaps}`, configMap('web'));
  assert.match(
    String(body['message']),
    /denied request: \[expression 'object\.a == 'x'' resulted in error: no such key: a/,
  );
});
