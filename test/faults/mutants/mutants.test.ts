import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { mutants } from './mutants.ts';
import { mutated } from './mutated.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('the mutants', () => {
  it('are many, and each has a name of its own', () => {
    assert.ok(mutants.length >= 40, `${mutants.length} mutants`);
    assert.deepEqual(
      mutants.map(({ id }) => id),
      [...new Set(mutants.map(({ id }) => id))],
    );
  });

  for (const { id, edits } of mutants) {
    it(`${id} is the product with a fault, and can be read`, () => {
      for (const [file, text] of mutated(edits, (path) => readFileSync(join(root, path), 'utf8'))) {
        assert.doesNotThrow(() => stripTypeScriptTypes(text), file);
      }
    });
  }

  it('are refused when the place of an edit is not there, or is not the only one', () => {
    const edit = { file: 'a.ts', from: 'x', to: 'y' };
    assert.throws(() => mutated([edit], () => 'z'), /0 times/);
    assert.throws(() => mutated([edit], () => 'x x'), /2 times/);
    assert.throws(() => mutated([{ ...edit, to: 'x' }], () => 'x'), /changes nothing/);
  });

  it('may change a file in several places', () => {
    const edits = [
      { file: 'a.ts', from: 'x', to: 'y' },
      { file: 'a.ts', from: 'z', to: 'w' },
    ];
    assert.deepEqual([...mutated(edits, () => 'x z')], [['a.ts', 'y w']]);
  });
});
