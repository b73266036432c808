import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Outgoing } from '../../domain/change.ts';
import { decode } from '../../wire/decode.ts';
import { encode } from '../../wire/encode.ts';

const plain: Outgoing = {
  id: 'round-1/uid-1',
  type: 'dev.knudge.resync.requested',
  source: '/knudge/resync-due',
  time: '2026-01-01T00:00:00Z',
  extensions: { kind: 'Message', name: 'hello' },
};

/** What its receiver makes of it. */
function received(event: Outgoing) {
  const { headers, body } = encode(event);
  return decode({ headers, body: Buffer.from(body) });
}

test('an event without data is headers alone', () => {
  assert.deepEqual(encode(plain), {
    headers: {
      'ce-specversion': '1.0',
      'ce-id': 'round-1/uid-1',
      'ce-type': 'dev.knudge.resync.requested',
      'ce-source': '/knudge/resync-due',
      'ce-time': '2026-01-01T00:00:00Z',
      'ce-kind': 'Message',
      'ce-name': 'hello',
    },
    body: '',
  });
});

test('data goes as JSON, and says so', () => {
  const { headers, body } = encode({ ...plain, data: { token: 'a b' } });
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(body, '{"token":"a b"}');
});

suite('a value in a header', () => {
  const rows: readonly [name: string, value: string, header: string][] = [
    ['visible ASCII stays', "a~!#$&'()*+,-./:;<=>?@[\\]^_`{|}", "a~!#$&'()*+,-./:;<=>?@[\\]^_`{|}"],
    ['a space, a quote and a percent sign are encoded', 'a "%" b', 'a%20%22%25%22%20b'],
    ['everything else by its UTF-8', 'Euro € 😀', 'Euro%20%E2%82%AC%20%F0%9F%98%80'],
    ['a line cannot be smuggled in', 'a\r\nce-id: b', 'a%0D%0Ace-id:%20b'],
    ['half a character is none', 'a\ud83d', 'a%EF%BF%BD'],
  ];
  for (const [name, value, header] of rows) {
    test(name, () => assert.equal(encode({ ...plain, extensions: { name: value } }).headers['ce-name'], header));
  }
});

test('whatever is sent is what is received', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
  // The decoder refuses that key from every sender.
  const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(text, json, (name, data) => {
      const event = received({ ...plain, extensions: { name }, data });
      assert.equal(event.extensions.get('name'), name);
      assert.deepEqual(event.data, JSON.parse(JSON.stringify(data)));
      assert.deepEqual(
        [event.id, event.type, event.source, event.time],
        [plain.id, plain.type, plain.source, plain.time],
      );
    }),
  );
});
