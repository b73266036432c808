import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from './json.ts';
import type { Change, Place } from './store.ts';
import { textOf } from './text.ts';

/** What outlives the process. */
export interface Journal {
  load(): { readonly revision: number; readonly objects: readonly { place: Place; object: JsonObject }[] };
  /** Returns when the change would survive a SIGKILL; throws when it would not. */
  write(change: Omit<Change, 'before'>): void;
  close(): void;
}

/**
 * The objects in an SQLite file of this folder, one transaction a change. WAL with synchronous=NORMAL: what is committed
 * is with the operating system, so the death of the process loses nothing; the loss of power may lose the last writes.
 */
export function openJournal(dir: string): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dir, 'objects.sqlite'));
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS objects (
      resource TEXT, namespace TEXT, name TEXT, object TEXT NOT NULL, PRIMARY KEY (resource, namespace, name)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS revision (only INTEGER PRIMARY KEY CHECK (only = 0), value INTEGER NOT NULL);
    INSERT OR IGNORE INTO revision VALUES (0, 0);
  `);
  const put = database.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?');
  const count = database.prepare('UPDATE revision SET value = ?');

  return {
    load: () => ({
      revision: Number(database.prepare('SELECT value FROM revision').get()?.['value']),
      objects: database.prepare('SELECT * FROM objects').all().map(parseRow),
    }),
    write: ({ type, resource, namespace, name, revision, object }) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        if (type === 'DELETED') remove.run(resource, namespace, name);
        else put.run(resource, namespace, name, textOf(object));
        count.run(revision);
        database.exec('COMMIT');
      } catch (thrown) {
        database.exec('ROLLBACK');
        throw thrown;
      }
    },
    close: () => database.close(),
  };
}

function parseRow(row: Record<string, unknown>): { place: Place; object: JsonObject } {
  const [resource, namespace, name] = [String(row['resource']), String(row['namespace']), String(row['name'])];
  return { place: { resource, namespace, name }, object: JSON.parse(String(row['object'])) as JsonObject };
}
