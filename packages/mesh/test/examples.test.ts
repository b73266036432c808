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

test('each example has the annotation by which kubectl apply finds what it applied before', () => {
  for (const { apiVersion, kind, metadata } of readExamples(process.cwd())) {
    const text = metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '';
    const applied = JSON.parse(text) as { readonly metadata: { readonly annotations: object } };
    assert.ok(text.endsWith('}\n'));
    const { annotations: _, ...rest } = metadata;
    assert.deepEqual({ ...applied }, { ...applied, apiVersion, kind });
    assert.deepEqual({ ...applied.metadata, annotations: {} }, { ...rest, annotations: {} });
    assert.ok(!Object.keys(applied.metadata.annotations).some((name) => name.startsWith('kubectl')));
  }
});

test('an example that is no YAML is told with its file and line', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'examples'));
  writeFileSync(join(root, 'examples/broken.yaml'), 'a: [');
  assert.throws(() => readExamples(root), { code: 'misuse', message: /^examples\/broken\.yaml:\d+: / });
});
