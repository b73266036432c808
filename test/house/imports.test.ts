import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { directions } from '../../tools/lint/directions.ts';
import { entry, overridesText } from '../../tools/lint/overrides.ts';
import { inCircles } from './circles.ts';
import { shipped, textOf } from './files.ts';
import { importsComputedName, mayImport, specifiersOf } from './imports.ts';
import { lintCopy } from './lint-copy.ts';

const sources: readonly [string, readonly string[]][] = [
  ["import { a } from './a.ts';", ['./a.ts']],
  ["import {\n  a,\n} from './a.ts';", ['./a.ts']],
  ["import './a.ts';", ['./a.ts']],
  ["import type { A } from 'a';", ['a']],
  ["export * from 'a';", ['a']],
  ["const a = await import('a');", ['a']],
  ['const a = await import(`a`);', ['a']],
  ["type A = import('a').A;", ['a']],
  ["const a = require('a');", ['a']],
  ["const a = import.meta.resolve('a');", ['a']],
  ["// taken from 'a'", []],
];

const filesNamedIn = (path: string): readonly string[] =>
  specifiersOf(textOf(path))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));

describe('the directions of imports', () => {
  it('no file imports what the table does not let it', () => {
    const wrong = shipped.flatMap((path) =>
      specifiersOf(textOf(path))
        .filter((specifier) => !mayImport(path, specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('only the table of a project is imported by a name that is made while the program runs', () => {
    assert.deepEqual(
      shipped.filter((path) => importsComputedName(textOf(path))),
      ['packages/start/controller-in.ts'],
    );
  });

  it('only what is outside of a cluster loads the client of Kubernetes at run time: it would be most of a cold start', () => {
    const loads = (path: string) =>
      specifiersOf(textOf(path), 'at run time').some((specifier) => specifier.startsWith('@kubernetes/client-node'));
    assert.deepEqual(shipped.filter(loads), ['packages/controller/cluster/outside.ts', 'cli/cluster/port-forward.ts']);
  });

  it('the library for tokens is loaded by one file, which is loaded late', () => {
    const loads = (path: string, name: string) => specifiersOf(textOf(path), 'at run time').includes(name);
    assert.deepEqual(
      shipped.filter((path) => loads(path, 'jose')),
      ['packages/controller/server/jose.ts'],
    );
    const checks = textOf('packages/controller/server/check-sender.ts');
    assert.match(checks, /await import\('\.\/jose\.ts'\)/);
    assert.deepEqual(
      shipped.filter((path) => /from '[^']*\/jose\.ts'/.test(textOf(path))),
      [],
    );
  });

  it('no file of the product needs itself in a circle, not for its types either', () => {
    const needs = shipped.map((path) => [path, filesNamedIn(path)] as const);
    assert.deepEqual(inCircles(new Map(needs)), []);
  });

  it('a circle is found, and what leads to it or from it is not', () => {
    const needs = { start: ['a'], a: ['b'], b: ['c', 'end'], c: ['a'], end: [], other: ['end'] };
    assert.deepEqual(inCircles(new Map(Object.entries(needs))), ['a', 'b', 'c']);
  });

  it('the configuration of the linter says what the table says', () => {
    assert.equal(textOf('tools/lint/imports.json'), overridesText(directions), 'run: npm run fix');
  });

  it('docs/architecture.md shows the whole table', () => {
    const text = textOf('docs/architecture.md');
    const section = text.slice(text.indexOf('## Who may import whom'), text.indexOf('## Certificates'));
    const cells = (list: readonly string[], none: string) => list.map((one) => `\`${one}\``).join(', ') || none;
    const rows = directions.map(
      ({ folder, may, packages }) => `| \`${folder}\` | ${cells(may, 'nothing')} | ${cells(packages, 'none')} |`,
    );
    assert.deepEqual(section.match(/^\| `.*$/gm), rows);
  });

  for (const [source, wanted] of sources) {
    it(`an import is seen in ${source}`, () => assert.deepEqual(specifiersOf(source), wanted));
  }

  it('an import of types alone is none at run time', () => {
    const source = "import type { A } from 'a';\nimport { b } from 'b';\nexport type C = import('c').C;\n";
    assert.deepEqual(specifiersOf(source, 'at run time'), ['b']);
  });

  it('a computed name is seen, a plain one is not', () => {
    assert.equal(importsComputedName('await import(name)'), true);
    assert.equal(importsComputedName("await import('./a.ts')"), false);
  });
});

describe('the linter gives the answers of the table', () => {
  const entries = ['packages/controller/index.ts', 'packages/event-log/index.ts', 'packages/kube-api/index.ts'];
  const probes = directions
    .flatMap(({ folder }) => [`${folder}/probe.ts`, `${folder}/deep/probe.ts`])
    .concat(entries)
    .map(probe);
  const findings = lintCopy(new Map(probes.map(({ path, lines }) => [path, `${lines.join('\n')}\n`])));
  const found = findings.filter(({ rule }) => rule === 'noRestrictedImports');
  for (const { path, lines, wanted } of probes) {
    it(`${path}: ${lines.length} imports, ${wanted.length} of them refused`, () => {
      const refused = found.filter((finding) => finding.path === path).map(({ line }) => lines[line - 1]);
      assert.deepEqual(refused.sort(), [...wanted].sort());
    });
  }

  it('each refusal says why', () => {
    const reasons = [...directions, entry].map(({ because }) => because);
    assert.deepEqual(
      found.filter(({ message }) => !reasons.some((because) => message.endsWith(because))),
      [],
    );
  });

  it('a folder without a row may import nothing', () => {
    const code = "import { a } from '../controller/domain/a.ts';\n\nexport const b = a;\n";
    const [finding] = lintCopy(new Map([['packages/new/probe.ts', code]]));
    assert.match(finding?.message ?? '', /has no row yet/);
  });
});

/** A file that imports from each folder and each package there is, by every syntax that the linter knows. */
function probe(path: string): { path: string; lines: string[]; wanted: string[] } {
  const folders = [...directions.map(({ folder }) => folder), 'test', 'tools', 'bench'];
  const targets = folders.map((folder) => `${folder}/some.ts`);
  const named = directions.flatMap(({ packages }) => packages).filter((name) => !name.endsWith('*'));
  const packages = [...new Set([...named, 'node:fs', 'node:fs/promises', 'node:http', 'unheard-of'])];
  const specifiers = [...targets.map((target) => relative(path, target)), ...packages];
  const lines = specifiers.flatMap((specifier, index) => [
    `import { a as a${index} } from '${specifier}';`,
    `import type { B as B${index} } from '${specifier}';`,
    `export { c as c${index} } from '${specifier}';`,
    `export const d${index} = await import('${specifier}');`,
    `import '${specifier}';`,
  ]);
  return {
    path,
    lines,
    wanted: lines.filter((line) => specifiersOf(line).some((specifier) => !mayImport(path, specifier))),
  };
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
