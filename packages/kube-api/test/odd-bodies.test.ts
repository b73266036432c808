import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtobuf } from '../http/protobuf/decode.ts';
import { configMap, configMaps, crds, definition, merge, said, thing, things, tryApi } from './handle.ts';

describe('a custom resource in a body', () => {
  const bodies: readonly (readonly [string, number, object, string])[] = [
    ['without a kind', 400, { apiVersion: 'example.org/v1' }, "Object 'Kind' is missing in"],
    [
      'of another version',
      400,
      { kind: 'Thing', apiVersion: 'example.org/v9' },
      'does not match the expected API version',
    ],
    ['of another kind', 422, { ...thing('a'), kind: 'Other' }, 'Other.example.org "a" is invalid: kind'],
  ];
  for (const [what, status, body, message] of bodies) {
    it(`${what} is refused`, () => {
      const { call } = tryApi();
      call(`POST ${crds}`, definition());
      const answer = call(`POST ${things}`, body as never);
      assert.equal(answer.status, status);
      assert.ok(said(answer).includes(message), said(answer));
    });
  }

  it('of strategic patches there are none', () => {
    const { call } = tryApi();
    call(`POST ${crds}`, definition());
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    assert.match(
      said(call(`PATCH ${things}/a`, {}, strategic)),
      /accepted media types include: application\/json-patch\+json/,
    );
  });
});

describe('a patch', () => {
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };

  it('may be a list of operations, or strategic', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a', { data: { a: 'b' } }));
    const json = { 'content-type': 'application/json-patch+json' };
    const added = call(`PATCH ${configMaps}/a`, [{ op: 'add', path: '/data/c', value: 'd' }], json);
    assert.deepEqual(added.body['data'], { a: 'b', c: 'd' });
    assert.deepEqual(call(`PATCH ${configMaps}/a`, { data: { a: null } }, strategic).body['data'], { c: 'd' });
  });

  it('that makes no object of the kind is refused in the words of its type', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a'));
    const number = call(`PATCH ${configMaps}/a`, { data: { a: 7 } }, strategic);
    assert.match(said(number), /patch: Invalid value: "map\[data:map\[a:7\]\]": cannot convert int64 to string/);
    const unknown = call(`PATCH ${configMaps}/a?fieldValidation=Strict`, { x: 1 }, strategic);
    assert.match(said(unknown), /"map\[x:1\]": strict decoding error: unknown field "x"/);
    assert.match(
      said(call(`PATCH ${configMaps}/a`, { kind: 'Secret' }, merge)),
      /patch: Invalid value: "\{\\"apiVersion\\"/,
    );
    const pods = '/api/v1/namespaces/default/pods';
    call(`POST ${pods}`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }] } });
    assert.match(
      said(call(`PATCH ${pods}/p`, { spec: { containers: 'a' } }, strategic)),
      /cannot restore slice from string/,
    );
  });
});

describe('JSON that is none', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['{"a"', 'invalid character|unexpected end of JSON input'],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,x}', "invalid character 'x' looking for beginning of object key string"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":[1 2]}', "invalid character '2' after array element"],
    ['{"a":x}', "invalid character 'x' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
  ];
  for (const [text, message] of texts) {
    it(`${text} is told in the words of Go`, () => {
      const answer = said(tryApi().call(`POST ${configMaps}`, text));
      assert.ok(
        message.split('|').some((words) => answer.includes(words)),
        answer,
      );
    });
  }
});

/** Bytes of protobuf, one character each. */
function field(number: number, value: string | number): string {
  if (typeof value === 'number') return varint(number << 3) + varint(value);
  return varint((number << 3) | 2) + varint(value.length) + value;
}

function varint(value: number): string {
  return value < 128 ? String.fromCharCode(value) : String.fromCharCode((value & 127) | 128) + varint(value >> 7);
}

function envelope(kind: string, raw: string, apiVersion = 'v1'): string {
  return `k8s\0${field(1, field(1, apiVersion) + field(2, kind))}${field(2, raw)}`;
}

describe('protobuf', () => {
  it('has numbers, flags, maps, times, quantities and what is either', () => {
    const time = field(8, field(1, 5));
    const port = field(1, '') + field(3, 80) + field(4, field(1, 0) + field(2, 81));
    const named = field(1, 'a') + field(3, 80) + field(4, field(1, 1) + field(2, 0) + field(3, 'web'));
    const service = envelope(
      'Service',
      field(1, field(1, 'a') + time) + field(2, field(1, port) + field(1, named) + field(3, '')),
    );
    assert.deepEqual(decodeProtobuf(service), {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: '1970-01-01T00:00:05Z' },
      spec: {
        ports: [
          { port: 80, targetPort: 81 },
          { name: 'a', port: 80, targetPort: 'web' },
        ],
      },
    });
    const secret = envelope('Secret', field(2, field(1, 'k') + field(2, 'v')) + field(5, 0));
    assert.deepEqual(decodeProtobuf(secret), {
      kind: 'Secret',
      apiVersion: 'v1',
      data: { k: 'dg==' },
      immutable: false,
    });
    const limits = field(1, field(1, 'cpu') + field(2, field(1, '1')));
    const pod = envelope('Pod', field(2, field(2, field(8, limits)) + field(11, 0) + field(12, 1)));
    const spec = { containers: [{ resources: { limits: { cpu: '1' } } }], hostPID: true };
    assert.deepEqual(decodeProtobuf(pod)['spec'], spec);
    const job = envelope('Job', field(2, field(1, 0)), 'batch/v1');
    assert.deepEqual(decodeProtobuf(job)['spec'], { parallelism: 0 });
    const managed = field(1, field(17, field(7, field(1, '{"f:a":{}}'))));
    assert.deepEqual(decodeProtobuf(envelope('ConfigMap', managed))['metadata'], {
      managedFields: [{ fieldsV1: { 'f:a': {} } }],
    });
    const volume = field(1, 'v') + field(2, field(19, field(1, field(1, 'm'))));
    const mounted = decodeProtobuf(envelope('Pod', field(2, field(1, volume))));
    assert.deepEqual(mounted['spec'], { volumes: [{ name: 'v', configMap: { name: 'm' } }] });
  });

  const broken: readonly (readonly [string, string, RegExp])[] = [
    ['without its beginning', 'x', /expected prefix \[107 56 115 0\]/],
    ['of an unknown kind', envelope('Nope', ''), /no protobuf message core.v1.Nope is known/],
    ['with an unknown field', envelope('ConfigMap', field(9, 'x')), /core.v1.ConfigMap has no field 9/],
    ['that is too short', envelope('ConfigMap', '').slice(0, -3), /unexpected EOF/],
    ['that ends in a number', `k8s\0${String.fromCharCode(8, 128)}`, /unexpected EOF/],
    ['of another wire type', `k8s\0${String.fromCharCode(9)}`, /illegal wireType 1/],
  ];
  for (const [what, body, message] of broken) {
    it(`${what} is refused`, () => assert.throws(() => decodeProtobuf(body), message));
  }
});

describe('a status', () => {
  it('of a Deployment leaves its labels, that of a Pod its owners', () => {
    const { call } = tryApi();
    const pods = '/api/v1/namespaces/default/pods';
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const spec = { containers: [{ name: 'a', image: 'b' }] };
    call(`POST ${pods}`, { metadata: { name: 'a' }, spec });
    const template = { metadata: { labels: { a: 'b' } }, spec };
    call(`POST ${deployments}`, { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }];
    const change = {
      metadata: { labels: { x: 'y' }, annotations: { x: 'y' }, ownerReferences },
      spec: { paused: true },
    };
    const metadataAfter = (path: string) => {
      const { metadata } = call(`PATCH ${path}/a/status`, change, merge).body;
      const { labels, annotations, ownerReferences: owners, generation } = metadata as Record<string, unknown>;
      return [labels !== undefined, annotations !== undefined, owners !== undefined, generation];
    };
    assert.deepEqual(metadataAfter(deployments), [false, true, true, 1]);
    assert.deepEqual(metadataAfter(pods), [true, true, false, 1]);
  });
});

describe('a fault of the server', () => {
  it('is told as one', () => {
    let uids = 0;
    const newUid = () => {
      if (uids++ < 4) return String(uids);
      throw new Error('no more uids');
    };
    const { status, body } = tryApi({ newUid }).call(`POST ${configMaps}`, configMap('a'));
    assert.deepEqual(
      [status, body['reason'], body['message']],
      [500, 'InternalError', 'Internal error occurred: no more uids'],
    );
  });
});
