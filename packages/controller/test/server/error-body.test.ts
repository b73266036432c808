import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { errorCodes, KnudgeError } from '../../domain/errors.ts';
import { errorBody, longestErrorBody } from '../../server/error-body.ts';
import { answerError } from '../../server/respond.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

suite('the body of an error', () => {
  const rows: readonly [name: string, message: string][] = [
    ['is whole where it fits', 'short'],
    ['is cut in plain text', 'a'.repeat(5000)],
    ['is cut between emoji', '😀'.repeat(500)],
    ['is cut between quotes, each of which is two bytes', '"'.repeat(500)],
    ['is cut between control characters, each of which is six', '\u0001'.repeat(500)],
    ['is cut between lone surrogates', '\ud800'.repeat(500)],
    ['is cut between characters of three bytes', '€'.repeat(500)],
    ['is cut where a pair begins at the limit', `${'a'.repeat(longestErrorBody - 1)}😀${'a'.repeat(500)}`],
  ];
  for (const [name, message] of rows) {
    test(name, () => {
      const body = errorBody('invalid-event', message);
      const parsed = JSON.parse(body) as { code: string; message: string };
      assert.equal(parsed.code, 'invalid-event');
      assert.ok(bytes(body) <= longestErrorBody);
      if (parsed.message === message) return;
      assert.ok(parsed.message.endsWith('…') && message.startsWith(parsed.message.slice(0, -1)));
      assert.ok(bytes(body) > longestErrorBody - 8, 'as much as fits is kept');
    });
  }
  test('is whole at exactly the limit, cut at one more', () => {
    const room = longestErrorBody - bytes(errorBody('internal', ''));
    assert.equal(bytes(errorBody('internal', 'a'.repeat(room))), longestErrorBody);
    assert.ok(!errorBody('internal', 'a'.repeat(room)).includes('…'));
    assert.ok(errorBody('internal', 'a'.repeat(room + 1)).includes('…'));
  });
});

test('any message fits, as valid JSON, cut between characters', () => {
  const units = fc.constantFrom('😀', '"', '\\', '\n', '\u0000', '\ud800', '\udc00', 'a', 'é', '€', '\u2028');
  const message = fc.oneof(
    fc.array(units, { maxLength: 700 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 2000 }),
  );
  fc.assert(
    fc.property(message, fc.constantFrom(...(Object.keys(errorCodes) as (keyof typeof errorCodes)[])), (text, code) => {
      const body = errorBody(code, text);
      assert.ok(bytes(body) <= longestErrorBody);
      const parsed = JSON.parse(body) as { message: string };
      if (parsed.message === text) return;
      const kept = parsed.message.slice(0, -1);
      assert.ok(text.startsWith(kept));
      assert.equal([...kept].join(''), [...text].slice(0, [...kept].length).join(''));
    }),
    { numRuns: 1000 },
  );
});

test('the answer to any error has a status of the table and a body within the limit', () => {
  for (const [code, { status }] of Object.entries(errorCodes)) {
    const answer = answerError(new KnudgeError(code as keyof typeof errorCodes, '€'.repeat(2000)));
    assert.equal(answer.status, status);
    assert.ok(bytes(answer.body) <= longestErrorBody);
  }
});
