import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '../../../packages/start/version.ts';
import { checkTree, checkVersion } from '../../../tools/release/checks.ts';
import { root } from '../../house/files.ts';

test('a higher version is taken', () => assert.equal(checkVersion('0.2.0', '0.1.0'), '0.2.0'));

for (const [args, said] of [
  [[], /^Say which version/],
  [['v987.0.0'], /"v987\.0\.0" is not a version/],
  [[version], /does not come after/],
  [['987.0.0', '988.0.0'], /^Say one version/],
  [['987.0.0', '--dry'], /Unknown option '--dry'/],
  [['987.0.0'], /^There is no key/],
] as const) {
  test(`npm run release -- ${args.join(' ')} is wrong usage, and ends with 2`, () => {
    const { IMAGE_SIGNING_KEY: _, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/release/release.ts'), ...args], {
      env,
      encoding: 'utf8',
      timeout: 30_000,
    });
    assert.match(stderr, said);
    assert.match(stderr, /nothing is committed, and nothing is tagged\.\n$/);
    assert.equal(status, 2);
  });
}

test('a tree has to be clean, and the tag new', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-tree-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  const somebody = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com'];
  git(...somebody, 'commit', '--quiet', '--allow-empty', '--message', 'one');
  const wanted = { version: '0.1.0', wanted: '0.2.0' };
  const base = { root: folder, commit: git('rev-parse', 'HEAD').trim(), branch: 'main', version: '0.1.0' };
  assert.deepEqual(checkTree(folder, wanted), base);
  git('tag', 'v0.2.0');
  assert.throws(() => checkTree(folder, wanted), /The tag v0\.2\.0 is there already/);
  git('tag', '--delete', 'v0.2.0');
  writeFileSync(join(folder, 'new'), '');
  assert.throws(() => checkTree(folder, wanted), /uncommitted changes.*\n\?\? new$/);
});
