import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { createKinds } from '../schema/kinds.ts';
import { conform, kindOf } from './conforming.ts';

// Measured on kube-apiserver 1.35: what it says to specs of the custom resource in the first line, and to definitions.
const linesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
const [definition = '', ...specs] = linesOf('custom-values.jsonl');
const kinds = createKinds();
kinds.define(JSON.parse(definition) as JsonObject);
const thing = kindOf(kinds, 'test.io/v1 Thing');
const crd = kindOf(kinds, 'apiextensions.k8s.io/v1 CustomResourceDefinition');
const make = (spec: object, over = {}) =>
  conform(thing, { metadata: { name: 't' }, spec: { req: 'x', ...spec } }, over);

/** The causes, sorted: the server looks at fields in no order. */
const causesOf = (said: string) =>
  said
    .split(/\n(?=[.<]?(?:spec|metadata|status|nil))/)
    .filter(Boolean)
    .sort();

for (const line of specs) {
  const { spec, said } = JSON.parse(line) as { spec?: unknown; said: string[] };
  test(`the server's word on ${JSON.stringify(spec)}`, () => {
    const body = { metadata: { name: 't' }, ...(spec !== undefined && { spec }) };
    assert.deepEqual(causesOf(conform(thing, body).said), said.sort());
  });
}

for (const line of linesOf('definitions.jsonl')) {
  const { name, spec, said } = JSON.parse(line) as { name: string; spec: object; said: string[] };
  test(`the server's word on the definition ${name} ${JSON.stringify(spec).slice(0, 400)}`, () => {
    assert.deepEqual(causesOf(conform(crd, { metadata: { name }, spec }).said), said.sort());
  });
}

test('defaults fill what is absent or a null that may not be, and unknown fields go', () => {
  const { object, warnings } = make({ nul: null, nuld: null, s: null, od: null, unk: 1, aaa: { b: 2 } });
  assert.deepEqual(object['spec'], { req: 'x', nul: null, nuld: 'x', od: { a: 'deep' } });
  assert.deepEqual(warnings, ['unknown field "spec.aaa"', 'unknown field "spec.unk"']);
});

test('what is preserved stays, but for what its schema names again', () => {
  const emb = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, more: [{ a: 1 }] };
  const { object, warnings } = make({ pres: { a: { b: 1 }, k: { z: '1', y: 2 } }, emb });
  assert.deepEqual(objectAt(object, 'spec')['pres'], { a: { b: 1 }, k: { z: '1' } });
  assert.deepEqual(objectAt(object, 'spec')['emb'], { ...emb, metadata: { name: 'x' } });
  assert.deepEqual(warnings, ['unknown field "spec.pres.k.y"', 'unknown field "spec.emb.metadata.odd"']);
});

test('unknown fields are refused where this is asked', () => {
  const { said } = make({ unk: 1 }, { fieldValidation: 'Strict' });
  assert.equal(
    said,
    'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.unk"',
  );
});

test('metadata has types', () => {
  const { said } = conform(thing, { metadata: { labels: { a: 1 } } });
  const why = 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string';
  assert.equal(said, `Thing in version "v1" cannot be handled as a Thing: ${why}`);
});

test('what was wrong before may stay, but not change, and a map-like list is followed by its keys', () => {
  const { object: fine } = make({ i: 1 });
  const lm = [
    { k: 'a', p: 1, v: 1 },
    { k: 'b', p: 1 },
  ];
  const current = { ...fine, spec: { ...objectAt(fine, 'spec'), s: 'toolong', l: ['a', 1], lm } };
  const spec = { s: 'toolong', l: ['a', 1], lm: [...lm].reverse() };
  assert.equal(make({ ...spec, i: 2 }, { current }).said, '');
  const said = causesOf(make({ ...spec, s: 'longer', l: ['b', 1], lm: [{ k: 'b', p: 1, v: 2 }] }, { current }).said);
  assert.deepEqual(
    said.map((line) => line.split(':')[0]),
    ['<nil>', 'spec.l[1]', 'spec.lm[0].v', 'spec.s'],
  );
});

test('a transition rule sees the old value, and rules that were broken before are tolerated', () => {
  const { object: current } = make({ imm: 'a', sc: 'bad', cel: { s: 'bad' } });
  assert.equal(make({ imm: 'a', sc: 'bad', cel: { s: 'bad' }, i: 1 }, { current }).said, '');
  assert.equal(make({ imm: 'b' }, { current }).said, 'spec.imm: Invalid value: "b": is immutable');
});

test('a status is checked below its own path, and replicas are not negative', () => {
  const { object: current } = make({});
  const status = (value: unknown) =>
    conform(thing, { ...current, status: value }, { current, subresource: 'status' }).said;
  assert.deepEqual(causesOf(status({ e: 'b', r: -1 })), [
    '.status.r: Invalid value: -1: should be a non-negative integer',
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    'status.e: Unsupported value: "b": supported values: "a"',
  ]);
  assert.equal(conform(thing, current, { current, subresource: 'status' }).said, '');
});

test('a schema without rules leaves none unchecked', () => {
  const plain = createKinds();
  const text = definition.replaceAll(/"x-kubernetes-validations":\[.*?\}\],?/g, '').replaceAll(',}', '}');
  plain.define(JSON.parse(text) as JsonObject);
  const { said } = conform(kindOf(plain, 'test.io/v1 Thing'), { metadata: { name: 't' }, spec: {} });
  assert.equal(said, 'spec.req: Required value');
});
