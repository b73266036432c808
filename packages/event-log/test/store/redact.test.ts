import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readRecorded, recorded, recordedNames } from '../../../../test/build/event.ts';
import { decode } from '../../../controller/wire/decode.ts';
import { toChange } from '../../../controller/wire/to-change.ts';
import { toEventRow, toLetterRow } from '../../store/row.ts';
import { assertClean, configMap, places, secret, telling } from './canary.ts';
import { received } from './event.ts';

suite('no data of a Secret is kept', () => {
  for (const [sentence, data, kind] of places) {
    test(sentence, () => {
      const extensions = new Map(kind === undefined ? [] : [['kind', kind]]);
      const event = { id: '1', source: '/s', type: 't', extensions, data };
      for (const row of [toEventRow(event, 0), toLetterRow(event, 0)]) assertClean(JSON.stringify(row));
    });
  }

  for (const [name, value] of telling) {
    test(`the extension ${name} ${value.slice(0, 12)}`, () => {
      assertClean(JSON.stringify(toLetterRow(received({ extensions: { [name]: value } }), 0)));
    });
  }
});

const message = {
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  spec: { text: 'hi' },
  metadata: { name: 'hello', namespace: 'shop', labels: { app: 'web' } },
};
const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true };
const meta = { name: 'web', namespace: 'shop', labels: { 'frp.io/service': 'web' }, ownerReferences: [owner] };
const env = [{ name: 'TOKEN', value: 'CANARY-ENV' }];
const podSpec = { containers: [{ name: 'web', env, args: ['--token=CANARY-ARG'] }] };
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'CANARY-ANNOT', other: 'CANARY-ANNOT' };
const status = { phase: 'Running' };

suite('of what others run and configure only metadata and status are kept', () => {
  const kinds = ['Pod', 'Service', 'Deployment', 'EndpointSlice', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'];
  const full = (kind?: string) => ({
    ...(kind && { apiVersion: 'v1', kind }),
    metadata: { ...meta, annotations, managedFields: [{ fieldsV1: { 'k:{"name":"CANARY-ENV"}': {} } }] },
    spec: kind === 'Pod' ? podSpec : { template: { spec: podSpec }, externalName: 'CANARY-ARG' },
    endpoints: [{ hostname: 'CANARY-ARG' }],
    status,
  });
  const kept = (data: unknown, kind?: string): unknown => {
    const row = toEventRow(
      { id: '1', source: '/s', type: 't', extensions: new Map(kind ? [['kind', kind]] : []), data },
      0,
    );
    assert.doesNotMatch(JSON.stringify(row), /CANARY/);
    return JSON.parse(row.data ?? 'null');
  };
  for (const kind of kinds) {
    test(`a ${kind}, alone, in a list, in the event of a watch, also where it does not say its kind`, () => {
      const wanted = { metadata: meta, status };
      const named = { apiVersion: 'v1', kind, ...wanted };
      assert.deepEqual(kept(full(kind), kind), named);
      assert.deepEqual(kept(full(kind), undefined), named);
      assert.deepEqual(kept(full(), kind), wanted);
      assert.deepEqual(kept(full(), undefined), wanted);
      assert.deepEqual(kept({ kind: `${kind}List`, items: [full()] }), { kind: `${kind}List`, items: [wanted] });
      assert.deepEqual(kept({ type: 'MODIFIED', object: full(kind) }), { type: 'MODIFIED', object: named });
    });
  }

  test('a ConfigMap: its keys without their values', () => {
    const data = { 'app.conf': 'CANARY-CONFIGMAP' };
    const full = { ...configMap, metadata: { ...meta, annotations }, data, binaryData: { b: 'CANARY-CONFIGMAP' } };
    const [cut, binaryData] = [{ 'app.conf': '[not kept]' }, { b: '[not kept]' }];
    assert.deepEqual(kept(full, 'ConfigMap'), { ...configMap, metadata: meta, data: cut, binaryData });
    assert.deepEqual(kept({ metadata: meta, data }, 'ConfigMap'), { metadata: meta, data: cut });
  });

  test('of any object not what kubectl has applied last', () => {
    const full = { ...message, metadata: { ...message.metadata, annotations: { ...annotations, other: 'x' } } };
    assert.deepEqual(kept(full), { ...message, metadata: { ...message.metadata, annotations: { other: 'x' } } });
  });

  test('what a function reads of an event that is sent again is there', () => {
    const extensions = { apiversion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
    const row = toEventRow(received({ extensions, data: full('Pod') }), 0);
    const type = 'dev.knative.apiserver.resource.update';
    const change = toChange({
      id: '1',
      source: '/s',
      type,
      extensions: new Map(Object.entries(extensions)),
      data: JSON.parse(row.data ?? ''),
    });
    assert.deepEqual(change?.hint?.metadata, meta);
  });
});

suite('all else is kept', () => {
  const rows: readonly [sentence: string, data: unknown, wanted?: unknown, kind?: string | undefined][] = [
    ['a Message', message],
    ['with its annotations', { ...message, metadata: { annotations: { a: '{"kind":"ConfigMap"}' } } }],
    ['a text, a number, a list', ['a', 1, null, true, { secretName: 'key', secretKeyRef: { name: 'key', key: 'a' } }]],
    ['what names a workload', { spec: { workloadRef: { kind: 'Deployment', name: 'web', replicas: 3 } }, kind: 'Any' }],
    ['a text alone', 'Secretary of kinds'],
    ['null', null],
    ['what is no object', { data: { a: 1 } }, { data: { a: 1 } }, 'Message'],
    ['a reference to a Secret', { apiVersion: 'v1', kind: 'Secret', name: 'key', namespace: 'shop' }],
    ['of a Secret its name', secret, { ...secret, data: undefined }, 'Secret'],
  ];
  for (const [sentence, data, wanted = data, kind] of rows) {
    test(sentence, () => {
      const event = received({ data, extensions: kind === undefined ? {} : { kind } });
      assert.deepEqual(JSON.parse(toEventRow(event, 0).data ?? ''), JSON.parse(JSON.stringify(wanted)));
    });
  }

  test('what nests deeper than any event may, to where it is too deep', () => {
    let data: unknown = 'end';
    for (let depth = 0; depth < 100; depth += 1) data = depth % 2 === 0 ? [data] : { a: data };
    const kept = String(toEventRow(received({ data }), 0).data);
    assert.match(kept, /\[not kept\]/);
    assert.doesNotMatch(kept, /end/);
  });

  const isCut = /secret|last-applied|"kind\\*": *\\*"(Pod|ConfigMap|Service|Deployment|EndpointSlice)\\*"/i;
  const whole = recordedNames.filter((one) => !isCut.test(JSON.stringify(readRecorded(one).body ?? '')));
  assert.ok(whole.length > 3);
  for (const name of whole) {
    test(`the recorded event ${name}`, () => {
      const event = decode(recorded(name), 'any data');
      const { data } = toEventRow(event, 0);
      assert.deepEqual(data === null ? undefined : JSON.parse(data), event.data);
    });
  }
});
