import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { packages } from '../../../tools/pack/packages.ts';
import { refusalsOf } from '../../../tools/pack/refusals.ts';
import { readSources, type Sources } from '../../../tools/pack/sources.ts';
import { root } from '../../house/files.ts';

const source = { name: 'source', folder: 'packages/source' };

/** A package with an entry, a file with this line, and what that may name. */
function withLine(line: string): Sources {
  const texts = new Map([
    ['packages/source/index.ts', ''],
    ['packages/source/a.ts', line],
    ['packages/controller/b.ts', ''],
  ]);
  const others = new Set(['packages/source/a.json', 'packages/controller/b.json']);
  return { code: new Set(texts.keys()), others, text: (path) => texts.get(path) ?? '' };
}

const rows: readonly (readonly [line: string, refusal: string | undefined])[] = [
  ["import { i } from './index.ts';", undefined],
  ["import { b } from '../controller/b.ts';", undefined],
  ["import { readFile } from 'node:fs/promises';", undefined],
  ["join(import.meta.dirname, 'a.json')", undefined],
  ["new URL('./index.ts', import.meta.url)", undefined],
  [
    "import { t } from '../../functions/table.ts';",
    'packages/source/a.ts imports ../../functions/table.ts, which is in no package: take it as an argument, or move it into a package.',
  ],
  [
    "await import('../../resources/message/plan.ts')",
    'packages/source/a.ts imports ../../resources/message/plan.ts, which is in no package: take it as an argument, or move it into a package.',
  ],
  [
    "new URL('../../package.json', import.meta.url)",
    'packages/source/a.ts reads ../../package.json, which is in no package: take it as an argument, or move it into a package.',
  ],
  [
    "import { t } from './test/t.ts';",
    'packages/source/a.ts imports ./test/t.ts, which is not there, or is for tests and not packed.',
  ],
  [
    "join(import.meta.dirname, 'lost.json')",
    'packages/source/a.ts reads lost.json, which is not there, or is for tests and not packed.',
  ],
  [
    "join(import.meta.dirname, '../controller/b.json')",
    'packages/source/a.ts reads ../controller/b.json, which is in another package: have that package read it.',
  ],
];

for (const [line, refusal] of rows) {
  test(`${line} ${refusal === undefined ? 'can be packed' : 'is refused'}`, () => {
    assert.deepEqual(refusalsOf(source, withLine(line), {}), refusal === undefined ? [] : [refusal]);
  });
}

test('a package without an entry is refused, unless it is a command', () => {
  const none: Sources = { code: new Set(), others: new Set(), text: () => '' };
  const refusal = 'packages/source has no index.ts, which says what others may import: write one.';
  assert.deepEqual(refusalsOf(source, none, {}), [refusal]);
  assert.deepEqual(refusalsOf(source, none, { bin: { source: 'source.js' } }), []);
});

test('nothing is in the way of any package', () => {
  const sources = readSources(root);
  assert.deepEqual(
    packages.flatMap((one) => refusalsOf(one, sources, { bin: {} })),
    [],
  );
});

const misuses = {
  ghost:
    'There is no package ghost, only console, controller, event-log, generate, image, issuing, kube-api, mesh, source, start, cli.',
  '--ghost': "Unknown option '--ghost'.",
};

for (const [argument, complaint] of Object.entries(misuses)) {
  test(`npm run pack -- ${argument} is wrong usage, and ends with 2`, () => {
    const args = ['tools/pack/pack.ts', argument];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.ok(stderr.startsWith(complaint), stderr);
  });
}
