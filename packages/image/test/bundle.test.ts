import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { consoleAssets } from '../../console/index.ts';
import { bundleProject } from '../bundle.ts';

const root = join(import.meta.dirname, '../../..');

test("a project's bundle has the pages of the console beside it, and nothing that builds them inside", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bundle-'));
  context.after(() => rmSync(folder, { recursive: true }));
  await bundleProject(root, folder);
  assert.deepEqual(readdirSync(folder).sort(), ['console', 'event-log-thread.cjs', 'function.cjs', 'functions.cjs']);
  const pages = await consoleAssets();
  assert.deepEqual(readdirSync(join(folder, 'console')).sort(), [...pages.keys()].sort());
  for (const [name, { body }] of pages) assert.deepEqual(readFileSync(join(folder, 'console', name)), body);
  const code = readFileSync(join(folder, 'functions.cjs'), 'utf8');
  assert.match(code, /__dirname\s*\+\s*["'`]\/console["'`]/);
  assert.doesNotMatch(code, /esbuild/);
});
