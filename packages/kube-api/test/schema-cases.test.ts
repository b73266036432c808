import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message, service } from '../../../test/crds/case.ts';
import { cases } from '../../../test/crds/cases.ts';
import { readCrd, readExamples } from '../../../test/crds/read.ts';
import { statusCases } from '../../../test/crds/status-cases.ts';
import { invalid } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import { check, complete, decode } from '../objects/conform.ts';
import type { Kind } from '../schema/kind.ts';
import { createKinds } from '../schema/kinds.ts';

const kinds = createKinds();
for (const plural of ['distributedservices', 'messages']) kinds.define(readCrd(plural) as unknown as JsonObject);

for (const { name, object, expected, spec } of cases) {
  test(`${String(object['kind'])}: ${name}`, () => {
    const { said, made } = create(object as JsonObject);
    if (expected === 'accepted') assert.equal(said, '');
    else assert.ok(said.includes(expected), said);
    assert.doesNotMatch(said, /evaluating rule|overload/, 'a rule must decide, not break');
    if (spec !== undefined) assert.deepEqual(made['spec'], spec);
  });
}

for (const { file, object } of readExamples()) {
  test(`examples/${file}: ${object.metadata['name']} is accepted without a warning`, () => {
    assert.equal(create(object as JsonObject, 'Strict').said, '');
  });
}

for (const { name, of, status, expected } of statusCases) {
  test(`status of a ${of}: ${name}`, () => {
    const object = (of === 'Message' ? message({}) : service({})) as JsonObject;
    const kind = kindOf(object);
    const current = create(object).made;
    const next = decode(kind, JSON.parse(JSON.stringify({ ...current, status })), 'Ignore').object;
    const causes = check(kind, next, { current, subresource: 'status' });
    const said = causes.length === 0 ? '' : invalid(kind, 'x', causes).message;
    if (expected === 'accepted') assert.equal(said, '');
    else assert.ok(said.includes(expected), said);
  });
}

function create(
  object: JsonObject,
  fieldValidation: 'Ignore' | 'Strict' = 'Ignore',
): { said: string; made: JsonObject } {
  const kind = kindOf(object);
  const { object: decoded } = decode(kind, JSON.parse(JSON.stringify(object)), fieldValidation);
  const metadata = { namespace: 'default', uid: 'uid', ...objectAt(decoded, 'metadata') };
  const made = complete(kind, { ...decoded, metadata }, { current: undefined, random: () => 0.5 });
  const causes = check(kind, made, { current: undefined, subresource: '' });
  const { name = '' } = objectAt(made, 'metadata');
  return { said: causes.length === 0 ? '' : invalid(kind, String(name), causes).message, made };
}

function kindOf(object: JsonObject): Kind {
  const kind = kinds.ofKind(String(object['apiVersion']), String(object['kind']));
  assert.ok(kind !== undefined && isObject(object));
  return kind;
}
