import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { findAssets, missingAssets } from '../../../tools/control-plane/assets.ts';
import { takeDown } from '../../../tools/control-plane/down.ts';
import { makeFolders, removeFolders } from '../../../tools/control-plane/folders.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'knudge-folders-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('folders that were made are removed again, and only those', (t) => {
  const base = folder(t);
  const made = makeFolders(join(base, 'a/b/c'));
  assert.equal(made, join(base, 'a'));
  assert.equal(makeFolders(join(base, 'a/b')), undefined);
  removeFolders(join(base, 'a/b/c'), made);
  assert.deepEqual(readdirSync(base), []);
});

test('a folder with the files of somebody else stays', (t) => {
  const base = folder(t);
  const made = makeFolders(join(base, 'a/b')) ?? '';
  writeFileSync(join(base, 'a/mine.txt'), '');
  removeFolders(join(base, 'a/b'), made);
  assert.deepEqual(readdirSync(join(base, 'a')), ['mine.txt']);
});

test('down where nothing runs says so and makes nothing', async (t) => {
  const dir = join(folder(t), 'none');
  assert.equal(await takeDown(dir, () => {}), 'nothing');
  assert.equal(existsSync(dir), false);
});

test('down removes what a crashed cluster left, and keeps a folder that was there before', async (t) => {
  const dir = folder(t);
  const state = { pids: [2147483647], kubeconfig: join(dir, 'kubeconfig'), controllers: true };
  for (const name of ['kubeconfig', 'cluster.log', 'mine.txt']) writeFileSync(join(dir, name), '');
  writeFileSync(join(dir, 'cluster.json'), JSON.stringify(state));
  assert.equal(await takeDown(dir, () => {}), 'crashed');
  assert.deepEqual(readdirSync(dir), ['mine.txt']);
});

test('an assets folder must have etcd and kube-apiserver, and what else is missing is told', (t) => {
  const assets = folder(t);
  const program = (name: string) => writeFileSync(join(assets, name), '', { mode: 0o755 });
  program('etcd');
  assert.throws(() => findAssets(assets), /has no kube-apiserver;/);
  program('kube-apiserver');
  assert.deepEqual(
    missingAssets(findAssets(assets)).map((sentence) => sentence.split(' ')[0]),
    ['kube-controller-manager', 'kube-scheduler', 'kwok'],
  );
  for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok']) program(name);
  assert.deepEqual(missingAssets(findAssets(assets)), []);
});
