import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { jsonText } from '../../cluster/json-text.ts';

test('what YAML does not print is escaped, all else is as JSON has it', () => {
  assert.equal(jsonText({ 'a\uffff': '\u007f\u0085é😀' }), '{"a\\uffff":"\\u007f\u0085é😀"}');
});

test('it says the same in JSON and in YAML, whatever the text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const written = jsonText([value, text]);
      assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify([value, text])));
      assert.deepEqual(parse(jsonText(text)), text);
    }),
  );
});

test('half of a surrogate pair, which is no character in YAML, is written as U+FFFD', () => {
  assert.equal(
    jsonText({ 'a\ud83d': ['b\ude00\ud83d', '\\\ud83d', '\\ud83d'] }),
    String.raw`{"a\ufffd":["b\ufffd\ufffd","\\\ufffd","\\ud83d"]}`,
  );
  const unit = fc.constantFrom('😀', '\ud83d', '\ude00', 'a', '\\', 'u', 'd83d', '"', '\n');
  const cut = fc.string({ unit }).chain((text) => fc.nat(text.length).map((end) => text.slice(0, end)));
  fc.assert(
    fc.property(cut, (text) => {
      const written = jsonText({ [text]: text });
      assert.deepEqual(JSON.parse(written), { [text.toWellFormed()]: text.toWellFormed() });
      assert.deepEqual(parse(written), JSON.parse(written));
    }),
  );
});
