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
