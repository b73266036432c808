import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readExamples } from '../examples.ts';

test('every example has a namespace', () => {
  const all = readExamples(process.cwd());
  assert.ok(all.some(({ kind }) => kind === 'DistributedService'));
  assert.ok(all.every(({ metadata }) => metadata.namespace !== undefined));
});

test('an example that is no YAML is told with its file and line', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'examples'));
  writeFileSync(join(root, 'examples/broken.yaml'), 'a: [');
  assert.throws(() => readExamples(root), { code: 'misuse', message: /^examples\/broken\.yaml:\d+: / });
});
