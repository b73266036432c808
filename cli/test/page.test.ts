import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examplesIn, isAsTold } from './page.ts';

const page = ['# A page', '```console', '$ npx knudge map', 'a…', '$ A=1 npx knudge no', '$ echo $?', '2', '```', ''];

describe('the examples of a page', () => {
  it('are its commands with what they print and how they end', () => {
    assert.deepEqual(examplesIn(page.join('\n')), [
      { args: ['map'], env: {}, prints: ['a…'], code: 0 },
      { args: ['no'], env: { A: '1' }, prints: [], code: 2 },
    ]);
  });
});

const texts = [
  { prints: ['a (b)'], text: 'a (b)\n', is: true },
  { prints: ['a … c'], text: 'a b c\n', is: true },
  { prints: ['a … c'], text: 'a b\nc\n', is: false },
  { prints: ['a', '…', 'c'], text: 'a\nb\nb\nc\n', is: true },
  { prints: ['a'], text: 'a\nb\n', is: false },
  { prints: [], text: 'b\n', is: false },
] as const;
for (const { prints, text, is } of texts) {
  it(`${JSON.stringify(text)} is ${is ? '' : 'not '}what ${JSON.stringify(prints)} tells`, () => {
    assert.equal(isAsTold(prints, text), is);
  });
}
it('a text that goes on begins as told', () => {
  assert.equal(isAsTold(['a'], 'a\nb\n', 'begins'), true);
});
