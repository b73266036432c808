import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../../../test/kube/until.ts';
import { watchFolders } from '../../reload/watch-folders.ts';

test('changes of a moment come together, also those in new folders, and not those that do not matter', async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  for (const folder of ['code/below', 'code/test', 'other']) mkdirSync(join(root, folder), { recursive: true });
  const seen: (readonly string[])[] = [];
  const watched = watchFolders({
    root,
    folders: ['code', 'missing'],
    quietMs: 60,
    matters: (file) => file.endsWith('.ts'),
    changed: (files) => seen.push(files),
    tooMany: () => assert.fail('so few are not too many'),
  });
  context.after(() => {
    watched.close();
    rmSync(root, { recursive: true });
  });
  const save = (file: string): void => writeFileSync(join(root, file), '1');
  for (const file of ['code/b.ts', 'code/below/a.ts', 'code/c.txt', 'code/test/d.ts', 'other/e.ts']) save(file);
  await until('seen', async () => seen.length === 1 || seen);
  assert.deepEqual(seen, [['code/b.ts', 'code/below/a.ts']]);
  mkdirSync(join(root, 'code/new'));
  await until('its folder is watched', async () => {
    save('code/new/f.ts');
    return seen.length > 1 || seen;
  });
  assert.deepEqual(seen[1], ['code/new/f.ts']);
});

test('a folder that is removed and made again is watched again, and one that takes its name', async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  mkdirSync(join(root, 'code/new/below'), { recursive: true });
  const seen = new Set<string>();
  const watched = watchFolders({
    root,
    folders: ['code'],
    quietMs: 30,
    matters: (file: string) => file.endsWith('.ts'),
    changed: (files) => files.forEach((file) => seen.add(file)),
    tooMany: () => assert.fail('so few are not too many'),
  });
  context.after(() => {
    watched.close();
    rmSync(root, { recursive: true });
  });
  const isSeen = async (file: string): Promise<void> => {
    // What is in a folder when its watch is set is seen without one.
    await setTimeout(100);
    writeFileSync(join(root, file), '1');
    await until(`${file} is seen`, async () => seen.has(file) || [...seen]);
  };
  rmSync(join(root, 'code/new'), { recursive: true });
  await setTimeout(100);
  mkdirSync(join(root, 'code/new/below'), { recursive: true });
  await isSeen('code/new/a.ts');
  await isSeen('code/new/below/b.ts');
  mkdirSync(join(root, 'other/below'), { recursive: true });
  renameSync(join(root, 'code/new'), join(root, 'away'));
  renameSync(join(root, 'other'), join(root, 'code/new'));
  await isSeen('code/new/c.ts');
  await isSeen('code/new/below/d.ts');
});
