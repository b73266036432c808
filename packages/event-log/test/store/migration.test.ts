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

test('names that were counted before their number was bounded are folded, and none of the counts is lost', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-migration-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'events.db');
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA auto_vacuum = INCREMENTAL; ${migrations.slice(0, 8).join('')} PRAGMA user_version = 8`);
  const insert = old.prepare('INSERT INTO delivered VALUES (?, ?, ?, 2, 1, 3)');
  for (let n = 0; n < 200; n += 1) insert.run(`forged-${n}`, 'done', 1);
  for (let n = 0; n < 200; n += 1) insert.run('pod-changed', `forged-${n}`, 1);
  insert.run('pod-changed', 'done', 500);
  old.close();
  const log = await openSqlite(file);
  const { deliveries } = await log.figures();
  const ofPods = deliveries.filter((one) => one.function === 'pod-changed');
  assert.deepEqual([new Set(deliveries.map((one) => one.function)).size, ofPods.length], [65, 49]);
  const { function: _, ...done } = ofPods.find(({ outcome }) => outcome === 'done') ?? { function: '' };
  assert.deepEqual(done, { outcome: 'done', deliveries: 500, ms: 2, cold: 1, coldMs: 3 });
  const sumOf = (name: 'deliveries' | 'ms' | 'coldMs'): number => deliveries.reduce((sum, one) => sum + one[name], 0);
  assert.deepEqual([sumOf('deliveries'), sumOf('ms'), sumOf('coldMs')], [900, 802, 1203]);
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
