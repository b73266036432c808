import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** What was announced of an object: enough to see that it has changed or is gone. */
export interface Announced {
  readonly uid: string;
  /** The digest of what functions look at: if it is the same, there is nothing to announce. */
  readonly view: string;
  /** The object in the event of its deletion as JSON, enough to find the parents it concerned. */
  readonly tombstone: string;
}

/** Another process has opened the file since: this one may not write any more. */
export class TakenOver extends Error {
  constructor() {
    super('another source has taken over the file of this one');
  }
}

/**
 * What a source has announced, in a file: for each watch up to which version, and which objects. The process that opened
 * the file last owns it: a write of any other process throws TakenOver, since its notes may be older than those in the file.
 */
export interface Known {
  /** The version up to which every event of a watch was taken; empty: none yet. */
  position(watch: string): string;
  get(watch: string, object: string): Announced | undefined;
  /**
   * Writes at once that the source is about to announce an object. If the source is killed before it has noted that the sink took the
   * event, the next process does not know in which state it announced the object, and announces it again when it compares.
   */
  expect(watch: string, object: string, announced: Announced): void;
  /** Notes what was taken; undefined: the object is gone. The next `commit` writes it to the file. */
  note(watch: string, object: string, announced: Announced | undefined): void;
  /** Every object of a watch that is not among these. */
  others(watch: string, objects: ReadonlySet<string>): readonly (Announced & { readonly object: string })[];
  /** Writes all notes, with these positions, in one transaction; does nothing if nothing is new. */
  commit(positions: ReadonlyMap<string, string>): void;
  /** Forgets all watches but these: no other is used any more. */
  keepOnly(watches: readonly string[]): void;
  /** Bytes of the file, and objects in it. */
  size(): { readonly bytes: number; readonly objects: number };
  close(): void;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS position (watch TEXT PRIMARY KEY, version TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS object (
    watch TEXT NOT NULL, object TEXT NOT NULL, uid TEXT NOT NULL, view TEXT NOT NULL, tombstone TEXT NOT NULL,
    PRIMARY KEY (watch, object)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS owner (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL);
`;

/** A digest that no object has. */
const unknownView = '';

/** Opens the file, or makes it, and owns it from then on. Throws SQLite's error if the file cannot be opened. */
export function openKnown(file: string): Known {
  const database = new DatabaseSync(file);
  database.exec(schema);
  const id = randomUUID();
  database.prepare('INSERT OR REPLACE INTO owner VALUES (1, ?)').run(id);
  const prepared = statementsOf(database);
  /** Notes that are not in the file yet. */
  const noted = new Map<string, { watch: string; object: string; announced: Announced | undefined }>();
  const committed = new Map<string, string>();
  const keyOf = (watch: string, object: string): string => `${watch}\n${object}`;
  const insistOnOwn = (): void => {
    if (prepared.owner.get()?.['id'] !== id) throw new TakenOver();
  };
  const inTransaction = (work: () => void): void => {
    database.exec('BEGIN IMMEDIATE');
    try {
      insistOnOwn();
      work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    position: (watch) => String(prepared.position.get(watch)?.['version'] ?? ''),
    get: (watch, object) => {
      const fresh = noted.get(keyOf(watch, object));
      return fresh === undefined ? (prepared.get.get(watch, object) as Announced | undefined) : fresh.announced;
    },
    expect: (watch, object, { uid, tombstone }) => {
      inTransaction(() => void prepared.put.run(watch, object, uid, unknownView, tombstone));
      noted.delete(keyOf(watch, object));
    },
    note: (watch, object, announced) => void noted.set(keyOf(watch, object), { watch, object, announced }),
    others: (watch, objects) => {
      const stored = new Map<string, Announced>();
      for (const row of prepared.all.iterate(watch)) {
        const { object, ...announced } = row as unknown as Announced & { readonly object: string };
        if (!objects.has(object)) stored.set(object, announced);
      }
      for (const one of noted.values()) {
        if (one.watch !== watch || objects.has(one.object)) continue;
        if (one.announced === undefined) stored.delete(one.object);
        else stored.set(one.object, one.announced);
      }
      return [...stored].map(([object, announced]) => ({ object, ...announced }));
    },
    commit: (positions) => {
      const moved = [...positions].filter(([watch, version]) => version !== '' && version !== committed.get(watch));
      if (noted.size === 0 && moved.length === 0) return insistOnOwn();
      inTransaction(() => {
        for (const { watch, object, announced } of noted.values()) {
          if (announced === undefined) prepared.drop.run(watch, object);
          else prepared.put.run(watch, object, announced.uid, announced.view, announced.tombstone);
        }
        for (const [watch, version] of moved) prepared.move.run(watch, version);
      });
      noted.clear();
      for (const [watch, version] of moved) committed.set(watch, version);
    },
    keepOnly: (watches) => {
      const all = prepared.watches.all().map(({ watch }) => String(watch));
      inTransaction(() => {
        for (const watch of all.filter((one) => !watches.includes(one)))
          for (const table of ['object', 'position'])
            database.prepare(`DELETE FROM ${table} WHERE watch = ?`).run(watch);
      });
    },
    size: () => ({
      bytes: Number(prepared.bytes.get()?.['bytes']),
      objects: Number(prepared.count.get()?.['objects']),
    }),
    close: () => database.close(),
  };
}

function statementsOf(database: DatabaseSync) {
  return {
    owner: database.prepare('SELECT id FROM owner'),
    position: database.prepare('SELECT version FROM position WHERE watch = ?'),
    get: database.prepare('SELECT uid, view, tombstone FROM object WHERE watch = ? AND object = ?'),
    all: database.prepare('SELECT object, uid, view, tombstone FROM object WHERE watch = ?'),
    put: database.prepare('INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?)'),
    drop: database.prepare('DELETE FROM object WHERE watch = ? AND object = ?'),
    move: database.prepare('INSERT OR REPLACE INTO position VALUES (?, ?)'),
    watches: database.prepare('SELECT watch FROM position UNION SELECT DISTINCT watch FROM object'),
    count: database.prepare('SELECT count(*) AS objects FROM object'),
    bytes: database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'),
  };
}
