import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { copyProject } from './copy.ts';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('a copy of the project', () => {
  const copy = copyProject();
  after(() => copy.remove());
  const [first, second] = mutants.filter(({ edits }) => edits.length === 1);
  assert.ok(first !== undefined && second !== undefined);
  const read = (file: string): string => readFileSync(join(copy.root, file), 'utf8');

  it('becomes one mutant after the other, one at a time', () => {
    const [edit] = first.edits;
    assert.ok(edit !== undefined);
    const original = readFileSync(join(root, edit.file), 'utf8');
    copy.become(first);
    assert.notEqual(read(edit.file), original);
    copy.become({ ...second, edits: second.edits.filter(({ file }) => file !== edit.file) });
    assert.equal(read(edit.file), original);
  });

  it('keeps the product without a fault for the oracles', () => {
    const [edit] = first.edits;
    assert.ok(edit !== undefined);
    copy.become(first);
    assert.equal(read(join('pristine', edit.file)), readFileSync(join(root, edit.file), 'utf8'));
  });

  it('is gone when it is removed', () => {
    const short = copyProject();
    short.remove();
    assert.equal(existsSync(short.root), false);
  });
});
