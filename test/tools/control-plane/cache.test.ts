import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { cacheFolder, cacheKey } from '../../../tools/control-plane/cache.ts';

const sources = join(import.meta.dirname, '../../../tools/control-plane');

function copy(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-cache-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(sources, folder, { recursive: true });
  return folder;
}

test('the cache is under XDG_CACHE_HOME, or under the home folder where that is empty or not set', () => {
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/x' }), '/x/knudge/control-plane');
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '' }), join(homedir(), '.cache/knudge/control-plane'));
  assert.equal(cacheFolder({}), join(homedir(), '.cache/knudge/control-plane'));
});

test('the key of the cache is the same for the same sources wherever they are', (t) => {
  assert.equal(cacheKey(copy(t), ['go1.26.0']), cacheKey(copy(t), ['go1.26.0']));
});

test('the key of the cache changes with the compiler and with each source, and not with the documents', (t) => {
  const folder = copy(t);
  const before = cacheKey(folder, ['go1.26.0']);
  assert.notEqual(cacheKey(folder, ['go1.26.1']), before);
  writeFileSync(join(folder, 'README.md'), 'Another text.');
  assert.equal(cacheKey(folder, ['go1.26.0']), before);
  const seen = new Set([before]);
  for (const path of ['go.mod', 'go.sum', 'main.go', 'kwok/go.mod', 'kwok/go.sum']) {
    appendFileSync(join(folder, path), '\n');
    seen.add(cacheKey(folder, ['go1.26.0']));
  }
  assert.equal(seen.size, 6);
});
