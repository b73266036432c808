import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packages } from '../../../tools/pack/packages.ts';
import { makeTarballs } from '../../../tools/pack/tarballs.ts';
import { smallTree } from './small-tree.ts';
import { startProject } from './stranger.ts';

const files = {
  'cli/knudge.js': "#!/usr/bin/env node\nawait import('./main.ts');\n",
  'cli/main.ts': "import { greet } from '../packages/mesh/index.ts';\n\nconsole.log(await greet());\n",
  'packages/mesh/index.ts': `import { Worker } from 'node:worker_threads';
import { deepest } from '../controller/deep/est.ts';

export async function greet(): Promise<string> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url));
  const said = await new Promise<unknown>((resolve) => worker.once('message', resolve));
  return \`\${String(said)} \${(await deepest()).text}\`;
}
`,
  'packages/mesh/thread.ts': `import { parentPort } from 'node:worker_threads';

parentPort?.postMessage('hello');
`,
  'packages/mesh/test/mesh.test.ts': "import { a } from '../../../test/a.ts';\n\na();\n",
  'packages/controller/deep/est.ts': `import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export async function deepest(): Promise<{ readonly text: string }> {
  const { parse } = await import('yaml');
  return parse(readFileSync(join(import.meta.dirname, 'est.yaml'), 'utf8')) as { readonly text: string };
}
`,
  'packages/controller/deep/est.yaml': 'text: world\n',
};

test('a tarball with the other packages in it runs by itself', () => {
  const tree = smallTree(files);
  const out = mkdtempSync(join(tmpdir(), 'knudge-packed-'));
  const wanted = packages.filter(({ alone }) => alone !== undefined);
  const names = makeTarballs({ root: tree.folder, wanted, out });
  assert.deepEqual(names, ['knudge-cli-1.0.0.tgz', 'knudge-1.0.0.tgz']);
  const project = startProject([join(out, 'knudge-1.0.0.tgz')], {});
  const { stdout, stderr } = project.run('node_modules/knudge/knudge.js');
  assert.deepEqual([stdout, stderr], ['hello world\n', '']);
  project.remove();
  tree.remove();
  rmSync(out, { recursive: true });
});

const wrong = {
  'imports what is in no package': {
    'packages/mesh/index.ts': "export { a } from '../../functions/a.ts';\n",
    'functions/a.ts': 'export const a = 1;\n',
  },
  'does not compile': { 'packages/mesh/index.ts': "export const a: number = '1';\n" },
  'names TypeScript in a way of its own': { 'packages/mesh/index.ts': "export const a = './a.ts';\n" },
};

for (const [what, bad] of Object.entries(wrong)) {
  test(`a package that ${what} is not packed`, () => {
    const tree = smallTree(bad);
    const wanted = packages.filter(({ name }) => name === 'mesh');
    const out = join(tree.folder, 'dist');
    assert.throws(() => makeTarballs({ root: tree.folder, wanted, out }), {
      name: 'BuildError',
      message: /packages\/mesh/,
    });
    tree.remove();
  });
}
