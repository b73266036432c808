import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { originOf } from '../origin.ts';

const date = '2026-01-02T03:04:05Z';
const seconds = Date.parse(date) / 1000;

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-origin-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function clone(context: TestContext): string {
  const folder = folderOf(context);
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-C', folder, ...args], { env, stdio: 'ignore' });
  git('init');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-m', 'first');
  return folder;
}

test('an image is as old as the commit and names it, and says what is not committed', (context) => {
  const folder = clone(context);
  const { createdAt, revision } = originOf(folder, {});
  assert.equal(createdAt, seconds);
  assert.match(revision ?? '', /^[0-9a-f]{40}$/);
  writeFileSync(join(folder, 'file'), 'two');
  assert.equal(originOf(folder, {}).revision, `${revision ?? ''}-dirty`);
});

test('the environment decides where it says something', (context) => {
  const env = { SOURCE_DATE_EPOCH: '7', REVISION: 'abc' };
  for (const folder of [clone(context), folderOf(context)]) {
    assert.deepEqual(originOf(folder, env), { createdAt: 7, revision: 'abc' });
  }
});

test('without git the time must be given, and be one', (context) => {
  const folder = folderOf(context);
  assert.throws(() => originOf(folder, {}), /set SOURCE_DATE_EPOCH/);
  assert.throws(() => originOf(folder, { SOURCE_DATE_EPOCH: 'yesterday' }), /is "yesterday"/);
  assert.deepEqual(originOf(folder, { SOURCE_DATE_EPOCH: '7' }), { createdAt: 7, revision: undefined });
});
