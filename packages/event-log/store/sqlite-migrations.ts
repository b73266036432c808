import type { DatabaseSync } from 'node:sqlite';
import { KnudgeError } from '../../controller/domain/errors.ts';
import { refuseNewer } from './refuse-newer.ts';

/** Each makes the schema of its number, counted from one, out of the one before. A released one is never changed. */
export const migrations: readonly string[] = [
  `CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, recorded TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, type TEXT NOT NULL, time TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT, namespace TEXT, name TEXT,
    extensions TEXT NOT NULL, data TEXT
  ) STRICT;
  CREATE INDEX events_at ON events (at);
  CREATE INDEX events_id ON events (id);
  CREATE INDEX events_type ON events (type);
  CREATE INDEX events_kind ON events (kind, namespace, name) WHERE kind IS NOT NULL;
  CREATE INDEX events_namespace ON events (namespace, name) WHERE namespace IS NOT NULL;
  CREATE INDEX events_name ON events (name) WHERE name IS NOT NULL;
  CREATE TABLE dead_letters (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, recorded TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, type TEXT NOT NULL, time TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT, namespace TEXT, name TEXT,
    extensions TEXT NOT NULL, data TEXT,
    destination TEXT NOT NULL, status INTEGER, said TEXT, times INTEGER NOT NULL, last TEXT NOT NULL, state TEXT NOT NULL,
    note TEXT
  ) STRICT;
  CREATE INDEX dead_letters_state ON dead_letters (state);
  CREATE INDEX dead_letters_at ON dead_letters (at);
  CREATE TABLE gaps (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, began TEXT NOT NULL, ended TEXT NOT NULL, events INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;`,
  `CREATE TABLE life (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, is_end INTEGER NOT NULL) STRICT;`,
  `ALTER TABLE events ADD COLUMN shortened INTEGER;
  ALTER TABLE dead_letters ADD COLUMN shortened INTEGER;`,
  `CREATE TABLE senders (
    source TEXT NOT NULL, namespace TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (source, namespace)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO senders SELECT source, coalesce(namespace, ''), sum(size) FROM events GROUP BY 1, 2;
  CREATE INDEX senders_bytes ON senders (bytes);
  CREATE INDEX events_sender ON events (source, coalesce(namespace, ''), seq);
  CREATE INDEX dead_letters_sender ON dead_letters (source, coalesce(namespace, ''), size);
  CREATE TRIGGER events_came AFTER INSERT ON events BEGIN
    INSERT INTO senders VALUES (NEW.source, coalesce(NEW.namespace, ''), NEW.size)
      ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER events_went AFTER DELETE ON events BEGIN
    UPDATE senders SET bytes = bytes - OLD.size WHERE source = OLD.source AND namespace = coalesce(OLD.namespace, '');
    DELETE FROM senders WHERE source = OLD.source AND namespace = coalesce(OLD.namespace, '') AND bytes <= 0;
  END;`,
  `ALTER TABLE events ADD COLUMN previous TEXT;
  ALTER TABLE events ADD COLUMN hash TEXT;
  CREATE TABLE chain (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL, gone INTEGER NOT NULL) STRICT;
  INSERT INTO chain VALUES (1, '', 0);
  CREATE TABLE let_go (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, events INTEGER NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX let_go_previous ON let_go (previous);
  CREATE INDEX let_go_hash ON let_go (hash);
  CREATE TRIGGER events_chained BEFORE INSERT ON events WHEN NEW.hash IS NULL BEGIN
    SELECT RAISE(ABORT, 'a newer Knudge has this log now');
  END;`,
  `ALTER TABLE events ADD COLUMN uid TEXT;
  ALTER TABLE events ADD COLUMN version TEXT;
  ALTER TABLE events ADD COLUMN spec_hash TEXT;
  ALTER TABLE events ADD COLUMN status_hash TEXT;
  ALTER TABLE dead_letters ADD COLUMN uid TEXT;
  ALTER TABLE dead_letters ADD COLUMN version TEXT;
  ALTER TABLE dead_letters ADD COLUMN spec_hash TEXT;
  ALTER TABLE dead_letters ADD COLUMN status_hash TEXT;
  CREATE INDEX events_uid ON events (uid, version) WHERE uid IS NOT NULL;
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, event TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL,
    recorded TEXT NOT NULL, began TEXT NOT NULL, at INTEGER NOT NULL, function TEXT NOT NULL, attempt INTEGER, ms REAL NOT NULL,
    cold_ms INTEGER, status INTEGER NOT NULL, outcome TEXT NOT NULL, reads INTEGER NOT NULL, writes INTEGER NOT NULL,
    parents TEXT NOT NULL, written TEXT NOT NULL, unlisted INTEGER, trace_id TEXT, instance TEXT, size INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_event ON deliveries (event);
  CREATE INDEX deliveries_at ON deliveries (at);
  CREATE TABLE writes (uid TEXT NOT NULL, version TEXT NOT NULL, verb TEXT NOT NULL, delivery INTEGER NOT NULL) STRICT;
  CREATE INDEX writes_uid ON writes (uid, version);
  CREATE INDEX writes_delivery ON writes (delivery);
  CREATE TRIGGER deliveries_went AFTER DELETE ON deliveries BEGIN
    DELETE FROM writes WHERE delivery = OLD.seq;
  END;`,
  `CREATE TABLE delivered (
    function TEXT NOT NULL, outcome TEXT NOT NULL, deliveries INTEGER NOT NULL, ms REAL NOT NULL, cold INTEGER NOT NULL,
    cold_ms INTEGER NOT NULL, PRIMARY KEY (function, outcome)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO delivered SELECT function, outcome, count(*), sum(ms), count(cold_ms), coalesce(sum(cold_ms), 0)
    FROM deliveries GROUP BY 1, 2;
  CREATE TRIGGER deliveries_came AFTER INSERT ON deliveries BEGIN
    INSERT INTO delivered VALUES (NEW.function, NEW.outcome, 1, NEW.ms, NEW.cold_ms IS NOT NULL, coalesce(NEW.cold_ms, 0))
      ON CONFLICT DO UPDATE SET deliveries = deliveries + 1, ms = ms + excluded.ms, cold = cold + excluded.cold,
      cold_ms = cold_ms + excluded.cold_ms;
  END;`,
  `ALTER TABLE deliveries ADD COLUMN in_vain INTEGER;`,
  // A report may say any name: 64 functions, and 48 outcomes of each, have a row of their own, and the others share the row of `other`.
  `DROP TRIGGER deliveries_came;
  ALTER TABLE delivered RENAME TO unfolded;
  CREATE TABLE delivered (
    function TEXT NOT NULL, outcome TEXT NOT NULL, deliveries INTEGER NOT NULL, ms REAL NOT NULL, cold INTEGER NOT NULL,
    cold_ms INTEGER NOT NULL, PRIMARY KEY (function, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE largest AS SELECT function FROM unfolded GROUP BY function ORDER BY sum(deliveries) DESC, function LIMIT 64;
  INSERT INTO delivered SELECT f, o, sum(deliveries), sum(ms), sum(cold), sum(cold_ms) FROM (SELECT
    iif(function IN (SELECT function FROM largest), function, 'other') AS f, iif(function IN (SELECT function FROM largest)
      AND row_number() OVER (PARTITION BY function ORDER BY deliveries DESC, outcome) <= 48, outcome, 'other') AS o, * FROM unfolded)
    GROUP BY f, o;
  DROP TABLE unfolded;
  DROP TABLE largest;
  CREATE TRIGGER deliveries_came AFTER INSERT ON deliveries BEGIN
    INSERT INTO delivered SELECT f, iif(EXISTS (SELECT 1 FROM delivered WHERE function = f AND outcome = NEW.outcome)
        OR (SELECT count(*) FROM delivered WHERE function = f) < 48, NEW.outcome, 'other'),
      1, NEW.ms, NEW.cold_ms IS NOT NULL, coalesce(NEW.cold_ms, 0)
      FROM (SELECT iif(EXISTS (SELECT 1 FROM delivered WHERE function = NEW.function)
        OR (SELECT count(DISTINCT function) FROM delivered) < 64, NEW.function, 'other') AS f) WHERE true
      ON CONFLICT DO UPDATE SET deliveries = deliveries + 1, ms = ms + excluded.ms, cold = cold + excluded.cold,
      cold_ms = cold_ms + excluded.cold_ms;
  END;`,
  // Of events that come from now on: to read the data of all others would hold up the start of a large log.
  `ALTER TABLE events ADD COLUMN owner TEXT;
  ALTER TABLE dead_letters ADD COLUMN owner TEXT;
  CREATE INDEX events_owner ON events (owner) WHERE owner IS NOT NULL;`,
];

/**
 * Brings a file to the newest schema, each step all or nothing. Throws `invalid-request` if a newer Knudge wrote it, or if
 * it has an older schema but may only be read.
 */
export function migrate(database: DatabaseSync, { readOnly }: { readonly readOnly: boolean }): void {
  const found = versionOf(database);
  refuseNewer(found, migrations.length);
  if (found === migrations.length) return;
  if (readOnly) {
    const advice = 'start its writer, a mesh or its Pod, which brings it up to date';
    throw new KnudgeError('invalid-request', `the event log has schema ${found}, not ${migrations.length}: ${advice}`);
  }
  // Takes effect only before the first table exists: deleted rows give their room back.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;');
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated it first.
    for (let version = versionOf(database); version < migrations.length; version += 1) {
      database.exec(migrations[version] ?? '');
    }
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}
