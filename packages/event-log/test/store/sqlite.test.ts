import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { openEventLog } from '../../store/open.ts';
import { select } from '../../store/query.ts';
import { openSqlite, readSqlite } from '../../store/sqlite.ts';
import { openSqliteFile } from '../../store/sqlite-file.ts';
import { type CasesWith, logCases } from './cases.ts';
import { chainCases } from './chain-cases.ts';
import { codeOf } from './code-of.ts';
import { deliveryCases } from './delivery-cases.ts';
import { received } from './event.ts';
import { lifeCases } from './life-cases.ts';
import { placeCases } from './place-cases.ts';
import { shareCases } from './share-cases.ts';

const dir = mkdtempSync(join(tmpdir(), 'knudge-log-'));
after(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

function newFile(): string {
  files += 1;
  return join(dir, `${files}.db`);
}

const opening: CasesWith = { open: (now) => openSqlite(newFile(), now) };
logCases('SQLite', opening);
placeCases('SQLite', opening);
shareCases('SQLite', opening);
chainCases('SQLite', {
  prefix: '',
  open: async (now) => {
    const file = newFile();
    const execute = async (sql: string): Promise<void> => {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    };
    return { log: await openSqlite(file, now), execute };
  },
});
lifeCases('SQLite', opening);
deliveryCases('SQLite', opening);

suite('a file of the log', () => {
  const page = { order: 'newest-first', limit: 10 } as const;

  test('has on the disk what was acknowledged, in WAL mode with full syncs', async () => {
    const file = newFile();
    const log = await openEventLog({ databaseUrl: '', file });
    await log.append(received());
    // Another process sees it while this one has it open.
    const reader = readSqlite(file);
    assert.equal((await reader.events({}, page)).length, 1);
    assert.deepEqual([await reader.deadLetters({}, page), await reader.gaps(page)], [[], []]);
    reader.close();
    const database = new DatabaseSync(file);
    assert.equal(database.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal');
    database.close();
    await log.close();
  });

  test('is refused with a sentence where a newer Knudge wrote it', async () => {
    const file = newFile();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    await assert.rejects(openSqlite(file), /has schema 99 and this Knudge knows 10: a newer one wrote it/);
    assert.throws(() => readSqlite(file), /newer/);
  });

  test('that another process holds fails after a bounded time, and works again', async () => {
    const file = newFile();
    const log = await openSqlite(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    assert.equal(await codeOf(log.append(received())), 'unavailable');
    assert.ok(performance.now() - began < 5000);
    other.exec('ROLLBACK');
    other.close();
    assert.equal(await log.append(received()), true);
    await log.close();
  });

  test('that is full refuses, keeps what it has, and takes more when there is room', () => {
    const file = newFile();
    const full = openSqliteFile({ file, readOnly: false, busyMs: 100 });
    full.noteGap({ from: 'a', to: 'b', events: 1, reason: 'r' });
    full.read({ sql: 'PRAGMA max_page_count = 30', values: [] });
    const reason = 'x'.repeat(400_000);
    assert.throws(() => full.noteGap({ from: 'a', to: 'b', events: 1, reason }), { code: 'unavailable' });
    full.noteGap({ from: 'a', to: 'b', events: 2, reason: 'r' });
    assert.equal(full.read({ sql: 'SELECT * FROM gaps', values: [] }).length, 2);
    full.close();
  });

  test('finds what changed an object by an index of its name, whether it has a namespace or not', () => {
    const file = openSqliteFile({ file: newFile(), readOnly: false, busyMs: 100 });
    const { sql, values } = select('events', { changed: 'spec' }, page);
    const plan = file.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, values });
    const ways = plan.map(({ detail }) => String(detail)).filter((one) => one.includes('former'));
    const way = 'SEARCH former USING INDEX events_kind (kind=? AND namespace=? AND name=? AND rowid<?)';
    assert.deepEqual(ways, [way, way]);
    file.close();
  });

  test('that cannot be opened is tried again with each call', async () => {
    const file = join(dir, 'later', 'events.db');
    const log = await openSqlite(file);
    assert.equal(await codeOf(log.append(received())), 'unavailable');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(dir, 'later'));
    assert.equal(await log.append(received()), true);
    await log.close();
  });
});
