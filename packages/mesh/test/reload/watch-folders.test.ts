import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../test/kube/until.ts';
import { watchFolders } from '../../reload/watch-folders.ts';

test('changes of a moment come together, also those in new folders, and not those that do not matter', async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'knudge-'));
  for (const folder of ['code/below', 'code/test', 'other']) mkdirSync(join(root, folder), { recursive: true });
  const seen: (readonly string[])[] = [];
  const watched = watchFolders({
    ...{ root, folders: ['code', 'missing'], quietMs: 60 },
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
