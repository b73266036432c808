import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { KnudgeError } from '../../domain/errors.ts';
import { parseJson } from '../../wire/json.ts';
import { maxContainers, maxDepth, maxKeys } from '../../wire/limits.ts';

const parse = (text: string, wrappers?: number): unknown => parseJson(Buffer.from(text), wrappers);
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`;

suite('a limit is the last that is taken', () => {
  const rows: readonly [name: string, text: string, wrappers: number][] = [
    ['depth', nested(maxDepth), 0],
    ['depth in an envelope', nested(maxDepth + 1), 1],
    ['keys', keys(maxKeys), 0],
    ['containers', `[${'{},'.repeat(maxContainers - 2)}{}]`, 0],
  ];
  for (const [name, text, wrappers] of rows) {
    test(name, () => assert.doesNotThrow(() => parse(text, wrappers)));
  }
  test('one more of each is too much', () => {
    assert.throws(() => parse(nested(maxDepth + 1)), { code: 'too-deep' });
    assert.throws(() => parse(nested(maxDepth + 2), 1), { code: 'too-deep' });
    assert.throws(() => parse(keys(maxKeys + 1)), { code: 'too-deep' });
    assert.throws(() => parse(`[${'{},'.repeat(maxContainers - 1)}{}]`), { code: 'too-deep' });
  });
});

test('brackets and colons inside strings do not count', () => {
  const text = JSON.stringify({ a: '[{:'.repeat(maxKeys), b: `\\"${'['.repeat(maxDepth + 1)}` });
  assert.deepEqual(parse(text), JSON.parse(text));
});

test('siblings do not add up to depth', () => {
  assert.doesNotThrow(() => parse(`[${'[],'.repeat(1000)}[]]`));
});

test('two megabytes of anything take less than a second', () => {
  const size = 2 * 1024 * 1024;
  for (const piece of ['\\', '"', '"\\"', '{"\\u005f":', '[', ']', ':', '"a":', ' ', '"\\u005f":0,']) {
    const bytes = Buffer.alloc(size, piece);
    const started = performance.now();
    assert.throws(() => parseJson(bytes), KnudgeError);
    assert.ok(performance.now() - started < 1000, piece);
  }
});

test('any JSON value comes out as it went in', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/"__proto__"\s*:/.test(text));
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

test('any bytes are JSON as JSON.parse has it, or refused with a code', () => {
  const codes = new Set(['invalid-json', 'too-deep', 'forbidden-key']);
  const piece = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '\\u005f', '__proto__', '1', ' ', 'é', 'null');
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (candidate) => {
      try {
        assert.deepEqual(parse(candidate), JSON.parse(candidate.replace(/^\ufeff/, '').toWellFormed()));
      } catch (thrown) {
        assert.ok(thrown instanceof KnudgeError && codes.has(thrown.code), String(thrown));
      }
    }),
    { numRuns: 2000 },
  );
});
