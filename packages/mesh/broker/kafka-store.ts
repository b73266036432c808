import { closeSync, fdatasync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { CloudEvent } from '../cloud-event.ts';

/** An event in its partition; offsets only grow. */
export interface Stored {
  readonly offset: number;
  readonly partition: number;
  readonly event: CloudEvent;
}

/** A consumer is done with a partition up to this offset. */
export interface Position {
  readonly consumer: string;
  readonly partition: number;
  readonly offset: number;
}

export interface Writing {
  readonly events: readonly { readonly partition: number; readonly event: CloudEvent }[];
  readonly positions: readonly Position[];
  /** For partitions, the offset up to which no consumer needs the events any more. */
  readonly done: readonly { readonly partition: number; readonly offset: number }[];
}

export interface Store {
  /** Writes all or nothing, in the file when it returns; returns the offsets of the events. Throws if the disk refuses it. */
  write(writing: Writing): readonly number[];
  /** Resolves when everything written before is on the disk; the process goes on meanwhile. */
  sync(): Promise<void>;
  /** Events after an offset, oldest first. */
  read(partition: number, after: number, limit: number): readonly Stored[];
  positions(): readonly Position[];
  /** The newest offset that was ever given. */
  latest(): number;
  /** Everything written is on the disk then. */
  close(): void;
}

/**
 * NORMAL: a transaction outlives the process, and `sync` makes it outlive a power failure: an fsync within each
 * transaction (FULL) would hold up everything else in the process. EXCLUSIVE: two Brokers on one file would deliver
 * everything twice.
 */
const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, head TEXT NOT NULL, data BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_of_partition ON events (partition);
  CREATE TABLE IF NOT EXISTS positions (
    consumer TEXT NOT NULL, partition INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (consumer, partition)
  ) STRICT, WITHOUT ROWID;`;

/**
 * Opens or makes the file of a Broker for these consumers. A new consumer starts with events that come from now on; the positions
 * of others are forgotten. Throws if the file is in use.
 */
export function openStore(file: string, consumers: readonly string[], partitions: number): Store {
  const database = new DatabaseSync(file);
  try {
    database.exec(schema);
    settle(database, consumers, partitions);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  const sync = syncOf(`${file}-wal`);
  const select = database.prepare(
    'SELECT id, head, data FROM events WHERE partition = ? AND id > ? ORDER BY id LIMIT ?',
  );
  return {
    write: writer(database),
    sync: sync.now,
    read: (partition, after, limit) =>
      select.all(partition, after, limit).map((row) => {
        const { id, head, data } = row as { id: number; head: string; data: Uint8Array };
        const event = { ...(JSON.parse(head) as Omit<CloudEvent, 'data'>), data: bufferOf(data) };
        return { offset: id, partition, event };
      }),
    positions: () => {
      const rows = database.prepare('SELECT consumer, partition, id AS offset FROM positions').all();
      return rows as unknown as readonly Position[];
    },
    latest: () => latestOf(database),
    close: () => {
      database.close();
      sync.close();
    },
  };
}

const datasync = promisify(fdatasync);

/**
 * Every transaction is in the write-ahead log first, with a checksum, and SQLite syncs that before it moves anything from
 * there: only the log must reach the disk. It stays one file as long as the database is open.
 */
function syncOf(file: string): { now(): Promise<void>; close(): void } {
  const descriptor = openSync(file, 'r');
  let underWay = 0;
  let isClosed = false;
  const closeIfDone = (): void => {
    if (isClosed && underWay === 0) closeSync(descriptor);
  };
  return {
    now: async () => {
      underWay += 1;
      try {
        await datasync(descriptor);
      } finally {
        underWay -= 1;
        closeIfDone();
      }
    },
    close: () => {
      isClosed = true;
      closeIfDone();
    },
  };
}

function settle(database: DatabaseSync, consumers: readonly string[], partitions: number): void {
  database.exec('BEGIN IMMEDIATE');
  const names = JSON.stringify(consumers);
  database.prepare('DELETE FROM positions WHERE consumer NOT IN (SELECT value FROM json_each(?))').run(names);
  const begin = database.prepare('INSERT OR IGNORE INTO positions (consumer, partition, id) VALUES (?, ?, ?)');
  const latest = latestOf(database);
  for (const consumer of consumers) {
    for (let partition = 0; partition < partitions; partition += 1) begin.run(consumer, partition, latest);
  }
  database.exec('COMMIT');
}

function latestOf(database: DatabaseSync): number {
  const row = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get();
  return (row as { seq: number } | undefined)?.seq ?? 0;
}

function writer(database: DatabaseSync): Store['write'] {
  const insert = database.prepare('INSERT INTO events (partition, head, data) VALUES (?, ?, ?)');
  const move = database.prepare('UPDATE positions SET id = ? WHERE consumer = ? AND partition = ?');
  const forget = database.prepare('DELETE FROM events WHERE partition = ? AND id <= ?');
  return ({ events, positions, done }) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const offsets = events.map(({ partition, event: { data, ...head } }) =>
        Number(insert.run(partition, JSON.stringify(head), data).lastInsertRowid),
      );
      for (const { consumer, partition, offset } of positions) move.run(offset, consumer, partition);
      for (const { partition, offset } of done) forget.run(partition, offset);
      database.exec('COMMIT');
      return offsets;
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw thrown;
    }
  };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
