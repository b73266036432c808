import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { declarationIn, definitionOf } from '../../../tools/api/definition.ts';
import { namesIn } from '../../../tools/api/entry.ts';

const declared = `import type { B } from './b.ts';
/** Not this. */
export interface Other {
    readonly a: string;
}
/**
 * Opens it:
 *
 * - where it is.
 */
export declare function open(a: {
    readonly b: string;
    readonly c: {
        /** In seconds. */
        readonly d: number;
    };
}): Promise<void>;
export declare function openAll(): void;
export type Either =
/** One; */
{
    readonly is: 'one';
} | {
    readonly is: 'other';
};
/** Something. */
export declare class Thing extends Error {
    readonly code: number;
    constructor(code: number);
}
`;
const files: Readonly<Record<string, string>> = {
  'packages/a/deep/all.ts': declared,
  'packages/a/nouns.ts': "export type { Either, Thing, } from './deep/all.ts';\n",
  'packages/a/source.ts': '/** A try. */\nexport async function attempt(): Promise<void> {}\n',
};
const find = (path: string, name: string) => definitionOf((file) => files[file] ?? '', path, name);

describe('the definition of a public name', () => {
  const all = 'packages/a/deep/all.ts';

  it('has its own docstring, without stars', () => {
    assert.deepEqual(find(all, 'open').doc, ['Opens it:', '', '- where it is.']);
    assert.deepEqual(find(all, 'Thing').doc, ['Something.']);
    assert.deepEqual(find('packages/a/source.ts', 'attempt').doc, ['A try.']);
  });

  it('has none where none stands right before it', () => {
    assert.deepEqual(find(all, 'openAll').doc, []);
    assert.deepEqual(find(all, 'Either').doc, []);
  });

  it('is declared from its first line to its last', () => {
    const open = `function open(a: {
  readonly b: string;
  readonly c: {
    /** In seconds. */
    readonly d: number;
  };
}): Promise<void>;`;
    assert.equal(declarationIn(find(all, 'open')), open);
    const thing = 'class Thing extends Error {\n  readonly code: number;\n  constructor(code: number);\n}';
    assert.equal(declarationIn(find(all, 'Thing')), thing);
    const either = "type Either =\n/** One; */\n{\n  readonly is: 'one';\n} | {\n  readonly is: 'other';\n};";
    assert.equal(declarationIn(find(all, 'Either')), either);
  });

  it('is found behind a file that passes it on', () => {
    assert.deepEqual(find('packages/a/nouns.ts', 'Thing').doc, ['Something.']);
  });

  it('is missed with the name of the file', () => {
    assert.throws(() => find(all, 'Thin'), /^Error: packages\/a\/deep\/all\.ts defines no Thin: /);
  });
});

describe('an entry file', () => {
  it('gives values and types, each from its file', () => {
    const text = "// Of a.\nexport { type A, b } from './deep/all.ts';\nexport type {\n  C,\n} from './nouns.ts';\n";
    assert.deepEqual(namesIn('packages/a/index.ts', text), [
      { name: 'A', isType: true, from: 'packages/a/deep/all.ts' },
      { name: 'b', isType: false, from: 'packages/a/deep/all.ts' },
      { name: 'C', isType: true, from: 'packages/a/nouns.ts' },
    ]);
  });

  for (const other of [
    "export * from './b.ts';",
    "import './b.ts';",
    'export const a = 1;',
    "export { a } from 'b';",
  ]) {
    it(`is refused with ${other}`, () => {
      const message = `packages/a/index.ts: an entry file only exports names from files, not ${other}`;
      assert.throws(() => namesIn('packages/a/index.ts', `${other}\n`), { message });
    });
  }
});
