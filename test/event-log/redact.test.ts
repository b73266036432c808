import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toEventRow, toLetterRow } from '../../src/event-log/row.ts';
import { decode } from '../../src/wire/decode.ts';
import { readRecorded, recorded, recordedNames } from '../build/event.ts';
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

suite('all else is kept', () => {
  const rows: readonly [sentence: string, data: unknown, wanted?: unknown, kind?: string | undefined][] = [
    ['a ConfigMap', { ...configMap, data: { a: 'b' }, binaryData: { c: 'AAAA' } }],
    ['with its annotations', { ...configMap, metadata: { annotations: { a: '{"kind":"ConfigMap"}' } } }],
    ['a text, a number, a list', ['a', 1, null, true, { secretName: 'key', secretKeyRef: { name: 'key', key: 'a' } }]],
    ['a text alone', 'Secretary of kinds'],
    ['null', null],
    ['what is no object', { data: { a: 1 } }],
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

  for (const name of recordedNames.filter((one) => !/secret/i.test(JSON.stringify(readRecorded(one).body ?? '')))) {
    test(`the recorded event ${name}`, () => {
      const event = decode(recorded(name), 'any data');
      const { data } = toEventRow(event, 0);
      assert.deepEqual(data === null ? undefined : JSON.parse(data), event.data);
    });
  }
});
