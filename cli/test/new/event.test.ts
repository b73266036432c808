import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addFunction } from '../../new/event.ts';
import { addResource } from '../../new/resource.ts';
import { made } from './made.ts';

const project = made('shop');
after(() => project.remove('.'));

const { folder } = project;
const state = () => project.files().map((path) => [path, project.text(path)]);

describe('knudge new event', () => {
  it('refuses what is no label, and writes no file', () => {
    const before = state();
    for (const label of ["a'b", '$&', '<NAME>', 'a/b/c', ''])
      assert.throws(() => addFunction('Secret', { root: folder, label }), {
        code: 'misuse',
        message: /^".*" is not the key of a label: /,
      });
    assert.deepEqual(state(), before);
  });

  it('refuses a kind whose function is called as a resource is, and writes no file', () => {
    addResource('NodeChanged', { root: folder });
    const before = state();
    assert.throws(() => addFunction('Node', { root: folder }), {
      code: 'misuse',
      message: 'functions/table.ts has another `nodeChanged` already: take another kind',
    });
    assert.deepEqual(state(), before);
  });

  it('refuses a table of another form, and writes no file', () => {
    const table = project.text('functions/table.ts');
    project.write('functions/table.ts', table.replace('functions: {}', 'functions: Object.assign({})'));
    const before = state();
    const message = /^functions\/table\.ts has another form than this command knows: add `import /;
    assert.throws(() => addFunction('Secret', { root: folder }), { code: 'misuse', message });
    assert.deepEqual(state(), before);
    project.write('functions/table.ts', table);
  });
});
