import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from '../../store/sqlite.ts';
import { migrations } from '../../store/sqlite-migrations.ts';
import { verify } from '../../store/verify.ts';
import { received } from './event.ts';
import { oldRow } from './old-row.ts';

test('deliveries that were kept before they were counted are counted', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-migration-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'events.db');
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA auto_vacuum = INCREMENTAL; ${migrations.slice(0, 6).join('')} PRAGMA user_version = 6`);
  const insert = old.prepare(`INSERT INTO deliveries VALUES
    (NULL, ?, 'e', 'e', '/s', 't', 't', 0, 'pod-changed', NULL, 4.5, ?, 204, 'done', 0, 0, '[]', '[]', NULL, NULL, NULL, 1)`);
  insert.run('a', null);
  insert.run('b', 300);
  old.close();
  const log = await openSqlite(file);
  const counted = { deliveries: 2, ms: 9, cold: 1, coldMs: 300 };
  assert.deepEqual((await log.figures()).deliveries, [{ function: 'pod-changed', outcome: 'done', ...counted }]);
  await log.close();
});

test('a file of the last schema is taken as it is: its events are older than the chain, and the chain begins after them', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-migration-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'events.db');
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA auto_vacuum = INCREMENTAL; ${migrations.slice(0, 2).join('')} PRAGMA user_version = 2`);
  for (const id of ['a', 'b']) old.exec(oldRow(id, 'events'));
  const log = await openSqlite(file, () => Date.parse('2026-03-01T12:00:00Z'));
  assert.equal(await log.append(received({ id: 'new' })), true);
  const { head: _, ...verdict } = await verify(log);
  assert.deepEqual(verdict, { whole: true, events: 1, letGo: 0, older: 2, breaks: [] });
  const senders = old.prepare('SELECT source, namespace, bytes FROM senders').all();
  assert.equal(senders.find(({ source }) => source === '/old')?.['bytes'], 1400);
  assert.throws(() => old.exec(oldRow('late', 'events')), /a newer Knudge has this log now/);
  await log.retain({ days: 3650, bytes: 1 });
  assert.equal((await verify(log)).whole, true);
  old.close();
  await log.close();
});
