import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../json.ts';
import type { Change, Place } from '../objects/place.ts';
import { textOf } from '../text.ts';

/** The storage that outlives the process: every object with its revision. `openJournal` keeps it in a file; a test may keep it elsewhere. */
export interface Journal {
  load(): { readonly revision: number; readonly objects: readonly { place: Place; object: JsonObject }[] };
  /** Returns when the change would survive a SIGKILL; throws if it would not. */
  write(change: Omit<Change, 'before'>): void;
  close(): void;
}

/**
 * The objects in an SQLite file of this folder: one row an object, one statement a change; a deletion leaves a row
 * without an object until the next start. WAL with synchronous=NORMAL: a commit is with the operating system,
 * so the death of the process loses nothing; the loss of power may lose the last writes. No other process may open the file
 * meanwhile, which makes a write cheaper.
 */
export function openJournal(dir: string): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dir, 'objects.sqlite'));
  database.exec(`
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS changes (
      resource TEXT, namespace TEXT, name TEXT, revision INTEGER NOT NULL, object TEXT,
      PRIMARY KEY (resource, namespace, name)
    );
    DELETE FROM changes WHERE object IS NULL AND revision < (SELECT max(revision) FROM changes);
  `);
  const put = database.prepare(`
    INSERT INTO changes VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET revision = excluded.revision, object = excluded.object
  `);

  return {
    load: () => ({
      revision: Number(database.prepare('SELECT max(revision) AS value FROM changes').get()?.['value'] ?? 0),
      objects: database.prepare('SELECT * FROM changes WHERE object IS NOT NULL').all().map(parseRow),
    }),
    write: ({ type, resource, namespace, name, revision, object }) => {
      put.run(resource, namespace, name, revision, type === 'DELETED' ? null : textOf(object));
    },
    close: () => database.close(),
  };
}

function parseRow(row: Record<string, unknown>): { place: Place; object: JsonObject } {
  const [resource, namespace, name] = [String(row['resource']), String(row['namespace']), String(row['name'])];
  return { place: { resource, namespace, name }, object: JSON.parse(String(row['object'])) as JsonObject };
}
