import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { ageOf, durationOf } from '../tables/age.ts';
import { findPath } from '../tables/json-path.ts';
import type { Called } from './handle.ts';
import { asTable, configMap, configMaps, crds, definition, said, thing, things, tryApi } from './handle.ts';

const metadataOnly = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const listOnly = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

function cellsOf({ body }: Called): readonly Json[] {
  const [row] = isArray(body['rows']) ? body['rows'] : [];
  return isObject(row) && isArray(row['cells']) ? row['cells'] : [];
}

describe('an answer', () => {
  it('is JSON, YAML, metadata or a table, as it is wanted', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a', { data: { a: 'b' } }));
    assert.match(call(`GET ${configMaps}/a`, undefined, { accept: 'application/yaml' }).text, /^kind: ConfigMap$/m);
    const { body } = call(`GET ${configMaps}/a`, undefined, metadataOnly);
    assert.deepEqual([body['kind'], body['data']], ['PartialObjectMetadata', undefined]);
    assert.equal(call(`GET ${configMaps}`, undefined, listOnly).body['kind'], 'PartialObjectMetadataList');
    assert.deepEqual(cellsOf(call(`GET ${configMaps}/a`, undefined, asTable)), ['a', 1, '0s']);
    const old = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' };
    assert.equal(call(`GET ${configMaps}`, undefined, old).body['apiVersion'], 'meta.k8s.io/v1beta1');
    const kubectl = {
      accept: 'application/vnd.kubernetes.protobuf, application/json;as=Table;v=v1;g=meta.k8s.io, application/json',
    };
    assert.equal(call(`GET ${configMaps}`, undefined, kubectl).body['kind'], 'Table');
  });

  it('has as much of the object in its rows as is wanted', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a', { data: { a: 'b' } }));
    const inRow = (include: string) => {
      const { body } = call(`GET ${configMaps}?includeObject=${include}`, undefined, asTable);
      return objectAt({ row: isArray(body['rows']) ? (body['rows'][0] ?? null) : null }, 'row')['object'];
    };
    assert.equal(inRow('None'), null);
    assert.equal(objectAt(inRow('Object') ?? null)['kind'], 'ConfigMap');
    assert.equal(objectAt(inRow('') ?? null)['kind'], 'PartialObjectMetadata');
    assert.match(
      said(call(`GET ${configMaps}?includeObject=x`, undefined, asTable)),
      /includeObject: Invalid value: "x"/,
    );
  });

  const unacceptable: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
    ['a web page', '', { accept: 'text/html' }, '406: Not Acceptable'],
    ['an unknown form', '', { accept: 'application/json;as=X;g=meta.k8s.io;v=v1' }, 'only the following media types'],
    [
      'a table of another version',
      '',
      { accept: 'application/json;as=Table;g=x;v=v1' },
      'only the following media types',
    ],
    ['the metadata of a list as one', '', metadataOnly, 'the requested object is a list'],
    ['the metadata of one as a list', '/a', listOnly, 'the requested object is not a list'],
  ];
  for (const [what, path, headers, message] of unacceptable) {
    it(`cannot be ${what}`, () => {
      const { call } = tryApi();
      call(`POST ${configMaps}`, configMap('a'));
      const answer = call(`GET ${configMaps}${path}`, undefined, headers);
      assert.equal(answer.status, 406);
      assert.ok(said(answer).includes(message), said(answer));
    });
  }

  it('tells the columns of watched rows once', () => {
    const { call, watch } = tryApi();
    const { events } = watch(`${configMaps}?watch=1`, asTable);
    for (const name of ['a', 'b']) call(`POST ${configMaps}`, configMap(name));
    const columns = events.map(({ object }) => isArray(objectAt(object ?? null)['columnDefinitions']));
    assert.deepEqual(columns, [true, false]);
  });
});

describe('the rows of custom resources', () => {
  it('show what the paths find, as the types say', () => {
    const { call } = tryApi();
    call(`POST ${crds}`, definition());
    const spec = { size: 7, on: true, share: 0.5, list: [{ a: 1 }, 'b'] };
    call(`POST ${things}`, { ...thing('a', { spec }), metadata: { name: 'a', labels: { 'a.b/c': 'd' } } });
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    call(`PATCH ${things}/a/status`, { status }, { 'content-type': 'application/merge-patch+json' });
    const cells = cellsOf(call(`GET ${things}`, undefined, asTable));
    assert.deepEqual(cells, ['a', 7, 'True', '0s', true, 0.5, 'd', '{"a":1}', '{"a":1}']);
    call(`DELETE ${things}/a`);
    call(`POST ${things}`, thing('b', { spec: { size: 'x', on: 1, share: 'x' } }));
    assert.deepEqual(cellsOf(call(`GET ${things}`, undefined, asTable)), [
      'b',
      null,
      null,
      '0s',
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  const paths: readonly (readonly [string, readonly Json[]])[] = [
    ['.a', [{ 'b.c': 1, d: [1, 2] }]],
    [".a['b.c']", [1]],
    ['.a["b.c"]', [1]],
    ['.a.b\\.c', [1]],
    ['.a.d[1]', [2]],
    ['.a.d[-1]', [2]],
    ['.a.d[*]', [1, 2]],
    ['.a.d[7]', []],
    ['.a.d.e', []],
    ['.a[0]', []],
    ['.a[*]', [1, [1, 2]]],
    ['.x.y', []],
    ['.toString', []],
  ];
  for (const [path, found] of paths) {
    it(`find ${found.length} at ${path}`, () => {
      assert.deepEqual(findPath({ a: { 'b.c': 1, d: [1, 2] } }, path), found);
    });
  }
});

describe('an age', () => {
  const rows: readonly (readonly [number, string])[] = [
    [-5, '<invalid>'],
    [-1, '0s'],
    [119, '119s'],
    [120, '2m'],
    [150, '2m30s'],
    [601, '10m'],
    [180 * 60, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [9 * 3600 + 60, '9h'],
    [49 * 3600, '2d1h'],
    [9 * 86400, '9d'],
    [800 * 86400, '2y70d'],
    [3000 * 86400, '8y'],
  ];
  for (const [seconds, text] of rows) it(`of ${seconds} s is ${text}`, () => assert.equal(durationOf(seconds), text));

  it('is unknown or invalid without a moment', () => {
    assert.deepEqual([ageOf(undefined, 0), ageOf('', 0), ageOf('x', 0)], ['<unknown>', '<unknown>', '<invalid>']);
  });
});

describe('a scale', () => {
  it('is read and written by PUT and patches', () => {
    const { call } = tryApi();
    call(`POST ${crds}`, definition());
    call(`POST ${things}`, thing('a', { spec: {} }));
    assert.match(said(call(`GET ${things}/a/scale`)), /the spec replicas field ".spec.replicas" does not exist/);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const { body } = call(`PATCH ${things}/a/scale`, { spec: { replicas: 3 } }, merge);
    assert.deepEqual([body['kind'], body['spec'], body['status']], ['Scale', { replicas: 3 }, { replicas: 0 }]);
    const put = (more: JsonObject) =>
      call(`PUT ${things}/a/scale`, { kind: 'Scale', metadata: { name: 'a' }, ...more });
    assert.deepEqual(put({ spec: { replicas: 5 } }).body['spec'], { replicas: 5 });
    assert.deepEqual(call(`GET ${things}/a`).body['spec'], { replicas: 5 });
    assert.match(said(put({ spec: { replicas: -1 } })), /.spec.replicas: Invalid value: -1: should be a non-negative/);
    assert.match(said(put({ spec: { replicas: 'x' } })), /ScaleSpec.spec.replicas of type int32/);
    assert.match(said(put({ kind: 'Thing' })), /no kind is registered for the type v1.Scale/);
    assert.match(said(put({ metadata: { name: 'a', resourceVersion: '1' } })), /has been modified/);
    assert.equal(call(`PATCH ${things}/a/scale`, { spec: { replicas: 'x' } }, merge).status, 422);
    assert.equal(call(`DELETE ${things}/a/scale`).status, 405);
    assert.equal(call(`GET ${things}/b/scale`).status, 404);
    const yaml = 'kind: Scale\napiVersion: autoscaling/v1\nmetadata: {name: a}\nspec: {replicas: 7}\n';
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = call(`PATCH ${things}/a/scale?fieldManager=x&force=true`, yaml, apply);
    assert.deepEqual(applied.body['spec'], { replicas: 7 });
  });

  it('of a Deployment tells its selector, and may be 0', () => {
    const { call } = tryApi();
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    call(`POST ${deployments}`, {
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
    });
    const { body } = call(`GET ${deployments}/d/scale`);
    assert.deepEqual([body['spec'], body['status']], [{}, { replicas: 0, selector: 'a=b' }]);
    const answer = call(`PUT ${deployments}/d/scale`, {
      kind: 'Scale',
      metadata: { name: 'd' },
      spec: { replicas: -1 },
    });
    assert.match(said(answer), /Scale.autoscaling "d" is invalid: spec.replicas/);
    assert.equal(call(`GET ${configMaps}/a/scale`).status, 404);
  });
});
