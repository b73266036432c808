import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuildError } from '../../../tools/build/errors.ts';
import { referencesIn } from '../../../tools/pack/references.ts';
import { rewritten } from '../../../tools/pack/rewrite.ts';

const path = 'packages/source/deep/run.ts';

const rows: readonly (readonly [what: string, compiled: string, packed: string])[] = [
  ['a file of its own', "import { a } from './a.js';", "import { a } from './a.js';"],
  ['its declaration', "import { a } from './a.ts';", "import { a } from './a.js';"],
  ['a file above', "export * from '../a.ts';", "export * from '../a.js';"],
  [
    'another package',
    "import { b } from '../../controller/domain/b.js';",
    "import { b } from '@knudge/controller/-/domain/b.js';",
  ],
  [
    "another package's declaration",
    "import type { B } from '../../event-log/b.ts';",
    "import type { B } from '@knudge/event-log/-/b.js';",
  ],
  ['an import over lines', "import {\n    a,\n} from './a.ts';", "import {\n    a,\n} from './a.js';"],
  ['an import for its effect', "import './a.ts';", "import './a.js';"],
  ['a late import', "await import('../../kube-api/api.js');", "await import('@knudge/kube-api/-/api.js');"],
  [
    'an import in a type',
    'type A = import("../../mesh/a.ts").A & import("./b.ts").B;',
    'type A = import("@knudge/mesh/-/a.js").A & import("./b.js").B;',
  ],
  ['the entry of another', "import { c } from '../../mesh/index.ts';", "import { c } from '@knudge/mesh/-/index.js';"],
  ['a thread', "new Worker(new URL('./a.ts', import.meta.url));", "new Worker(new URL('./a.js', import.meta.url));"],
  ['an address that is no file', "new URL('./a.ts', base);", 'refused'],
  ['a file that is read', "join(import.meta.dirname, 'a.json');", "join(import.meta.dirname, 'a.json');"],
  ['a package', "import { d } from 'd';", "import { d } from 'd';"],
  ['a module of Node', "import { e } from 'node:e';", "import { e } from 'node:e';"],
  ['a comment', " * import { a } from './a.ts';", " * import { a } from './a.ts';"],
  ['a text', "throw new Error('see packages/source/a.ts');", "throw new Error('see packages/source/a.ts');"],
  ['an import by a computed name', "import('./' + name + '.ts');", "import('./' + name + '.ts');"],
  ['an import of a text in a constant', "const a = './a.ts';", 'refused'],
];

for (const [what, compiled, packed] of rows) {
  test(`packed code: ${what}`, () => {
    if (packed === 'refused') assert.throws(() => rewritten(path, compiled), BuildError);
    else assert.equal(rewritten(path, compiled), packed);
  });
}

test('a specifier of TypeScript that survives is named, with the file', () => {
  assert.throws(
    () => rewritten(path, "const a = './a.ts';"),
    /^BuildError: packages\/source\/deep\/run\.ts names \.\/a\.ts /,
  );
});

test('each way to name a file is seen, and whether it is imported or read', () => {
  const text = [
    "import { a } from './a.ts';",
    "const b = new URL('./b.ts', import.meta.url);",
    "const c = join(import.meta.dirname, 'c.json');",
    "// from './d.ts'",
  ];
  assert.deepEqual(referencesIn(text.join('\n')), [
    { kind: 'import', specifier: './a.ts' },
    { kind: 'file', specifier: './b.ts' },
    { kind: 'file', specifier: 'c.json' },
  ]);
});
