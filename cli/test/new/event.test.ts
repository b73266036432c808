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

  it('gives the account of the function the right to read the object, for its events bring no labels', () => {
    const rules = () => project.text('deploy/accounts/greeting.yaml').split('\nrules:\n')[1] ?? '';
    const before = rules();
    assert.doesNotMatch(before, /secrets/);
    addFunction('Secret', { root: folder });
    assert.match(project.text('functions/secret-changed.ts'), /mode: 'Reference'/);
    const added = /(?<=\n) +# .*\n +- apiGroups: \[''\]\n +resources: \[secrets\]\n +verbs: \[get\]\n/;
    assert.match(rules(), added);
    assert.equal(rules().replace(added, ''), before);
  });

  it('gives no right for a kind whose events bring the whole object', () => {
    const before = project.text('deploy/accounts/greeting.yaml');
    addFunction('Job', { root: folder });
    assert.equal(project.text('deploy/accounts/greeting.yaml'), before);
  });
});
