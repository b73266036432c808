import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lintCopy } from './lint-copy.ts';
import { probes } from './probes.ts';

/** The path with the number of its probe in the file's name, so that several may share one; main.ts and time.ts must not. */
const pathOf = (path: string, index: number) =>
  /(main|time|one|two|\.test)\.ts$/.test(path) ? path : path.replace(/\.ts$/, `-${index}.ts`);

describe('each rule of the linter finds its planted fault, and nothing else', () => {
  const rows = probes.map((probe, index) => ({ ...probe, path: pathOf(probe.path, index) }));
  const found = lintCopy(new Map(rows.map(({ path, code }) => [path, code.endsWith('\n') ? code : `${code}\n`])));
  for (const { name, path, rules } of rows) {
    it(name, () => {
      const here = found.filter((finding) => finding.path === path).map(({ rule }) => rule);
      assert.deepEqual([...new Set(here)].sort(), [...rules].sort());
    });
  }
});
