import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { killOften } from './kills.ts';

test('SQLite: kill -9 in a loop loses nothing that was acknowledged and tears nothing', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-kills-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'events.db');
  const isWhole = (): void => {
    const database = new DatabaseSync(file);
    assert.equal(database.prepare('PRAGMA quick_check').get()?.['quick_check'], 'ok');
    database.close();
  };
  await killOften(context, { place: { databaseUrl: '', file }, isWhole });
});
