import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HTTP } from 'cloudevents';
import { event, readRecorded, recorded, recordedNames, structured } from '../../../../test/build/event.ts';
import type { Received } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { decode } from '../../wire/decode.ts';
import { toChange } from '../../wire/to-change.ts';
import { hostileEvents } from './hostile-events.ts';
import { oddEvents } from './odd-events.ts';

const defined = new Set([
  ...['id', 'source', 'type', 'specversion', 'time', 'subject'],
  ...['dataschema', 'datacontenttype', 'data', 'data_base64', 'schemaurl', 'datacontentencoding'],
]);

/** What the SDK itself makes of a request, in our words. */
function bySdk(name: string): Omit<Received, 'time'> {
  const { headers, body } = readRecorded(name);
  const sdk = HTTP.toEvent<unknown>({ headers, body: JSON.stringify(body) });
  assert.ok(!Array.isArray(sdk));
  const extensions = Object.entries(sdk).filter(([key]) => !defined.has(key));
  return {
    id: sdk.id,
    type: sdk.type,
    source: sdk.source,
    extensions: new Map(extensions as [string, string][]),
    data: sdk.data,
  };
}

function withoutTime({ id, type, source, extensions, data }: Received): Omit<Received, 'time'> {
  return { id, type, source, extensions, data };
}

suite('a recorded event', () => {
  for (const name of recordedNames) {
    test(`${name} is decoded as the SDK decodes it`, () => {
      assert.deepEqual(withoutTime(decode(recorded(name))), bySdk(name));
    });
    test(`${name} keeps its time to the nanosecond`, () => {
      assert.equal(decode(recorded(name)).time, readRecorded(name).headers['ce-time']);
    });
    test(`${name} in structured mode is the same event`, () => {
      const binary = recorded(name);
      assert.deepEqual(decode(structured(binary)), decode(binary));
    });
  }
  test('there are at least forty of them', () => assert.ok(recordedNames.length >= 40));
});

suite('a value in a header', () => {
  const rows: readonly [name: string, header: string, value: string][] = [
    ['plain', 'web-1', 'web-1'],
    ['empty', '', ''],
    ['percent-encoded', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['lower-case hex', '%e2%82%ac', '€'],
    ['decoded once only', '%2541', '%41'],
    ['quoted', '"two words"', 'two words'],
    ['quoted with escapes', '"say \\"hi\\" \\\\ bye"', 'say "hi" \\ bye'],
    ['quoted and encoded', '"a%20b"', 'a b'],
    ['one quote alone', '"', '"'],
    ['a percent sign alone', '100%', '100%'],
    ['a percent sign before no hex', '%zz%4', '%zz%4'],
    ['bytes that are no UTF-8', 'a%FF%41', 'a\ufffdA'],
  ];
  for (const [name, header, value] of rows) {
    test(`${name} is ${JSON.stringify(value)}`, () => {
      assert.equal(decode(event({ attributes: { note: header } })).extensions.get('note'), value);
    });
  }
  test('given as a list of one is taken, of two refused', () => {
    const { headers, body } = event();
    assert.equal(decode({ headers: { ...headers, 'ce-note': ['x'] }, body }).extensions.get('note'), 'x');
    assert.throws(() => decode({ headers: { ...headers, 'ce-note': ['x', 'y'] }, body }), { code: 'invalid-event' });
  });
});

suite('what is not given', () => {
  test('no time stays no time', () => assert.equal('time' in decode(event()), false));
  test('an empty body is no data, whatever its type', () => {
    assert.equal(decode(event({ data: '', headers: { 'content-type': 'text/plain' } })).data, undefined);
  });
  test('data null is null, in both modes', () => {
    const binary = event({ data: 'null' });
    assert.equal(decode(binary).data, null);
    assert.deepEqual(decode(structured(binary)), decode(binary));
  });
  test('attributes that CloudEvents defines are no extensions', () => {
    const attributes = { subject: 's', dataschema: 'https://example.com/s', time: '2026-11-21T02:03:23Z' };
    assert.deepEqual([...decode(event({ attributes })).extensions.keys()].sort(), [
      'apiversion',
      'kind',
      'name',
      'namespace',
    ]);
  });
  test('ce- headers beside a structured event do not count', () => {
    const { headers, body } = structured(event());
    assert.equal(decode({ headers: { ...headers, 'ce-id': 'other', 'ce-name': '../x' }, body }).id, 'event-1');
  });
  test('data_base64 is the same data', () => {
    const binary = event();
    const encoded = structured(binary, { data: undefined, data_base64: binary.body.toString('base64') });
    assert.deepEqual(decode(encoded), decode(binary));
  });
});

suite('a hostile event', () => {
  for (const [name, request, code] of hostileEvents) {
    test(`${name}: ${code}`, () => {
      assert.throws(
        () => toChange(decode(request)),
        (thrown: unknown) => thrown instanceof KnudgeError && thrown.code === code && thrown.message.length < 300,
      );
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });
  }
  test('there are at least sixty of them', () => assert.ok(hostileEvents.length >= 60));
});

suite('an odd event', () => {
  for (const [name, request] of oddEvents) {
    test(`${name} is taken`, () => assert.doesNotThrow(() => toChange(decode(request))));
  }
});

test('what is missing is named', () => {
  for (const name of ['id', 'source', 'type', 'specversion']) {
    assert.throws(() => decode(event({ attributes: { [name]: undefined } })), new RegExp(`has no ${name}$`));
  }
  assert.throws(() => decode(event({ attributes: { source: 'a b' } })), /its source must match/);
  assert.throws(() => toChange(decode(event({ attributes: { kind: undefined } }))), /extension kind is missing/);
});

test('what is wrong with JSON is told without a piece of it: it may be a password', () => {
  for (const text of ['{"password":hunter2}', 'hunter2', '{"a":"hunter2', '{"hunter2"}']) {
    assert.throws(
      () => decode(event({ data: text })),
      (thrown: unknown) => {
        assert.ok(thrown instanceof KnudgeError);
        assert.equal(thrown.code, 'invalid-json');
        assert.ok(!`${thrown.message}${String(thrown.cause)}`.includes('hunter2'));
        return true;
      },
    );
  }
});
