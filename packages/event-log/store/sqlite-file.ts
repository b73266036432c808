import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { Gap, Sign } from '../../controller/domain/event-log.ts';
import { type DeliveryWriting, deliveryColumns } from './delivery-row.ts';
import { type EventRow, linked, type Stored } from './row.ts';
import { migrate } from './sqlite-migrations.ts';
import { shrinkSqlite } from './sqlite-shrink.ts';
import { gapBefore, lifeAfter } from './unattended.ts';
import type { Gone, Limits, Marking, Writing } from './writing.ts';

/** The file of a log. Every call is finished, and on the disk, when it returns; each throws a KnudgeError. */
export interface SqliteFile {
  write(writings: readonly Writing[]): readonly boolean[];
  read(query: { readonly sql: string; readonly values: readonly SQLInputValue[] }): readonly Stored[];
  /** Keeps those that are new; returns how many bytes they take. */
  keepDeliveries(writings: readonly DeliveryWriting[]): number;
  mark(marking: Marking): number;
  noteGap(gap: Gap): void;
  sign(sign: Sign): void;
  shrink(limits: Limits): Gone;
  close(): void;
}

export interface SqliteOptions {
  readonly file: string;
  readonly readOnly: boolean;
  /** Milliseconds that a call waits for another process that writes. */
  readonly busyMs: number;
}

/**
 * Opens the file and makes it if it is missing. WAL: readers and the one writer do not wait for each other. FULL: a commit
 * has been synced to the disk when it returns, so it outlives a power failure.
 */
export function openSqliteFile({ file, readOnly, busyMs }: SqliteOptions): SqliteFile {
  return saying(() => {
    const database = new DatabaseSync(file, { readOnly, timeout: busyMs });
    try {
      migrate(database, { readOnly });
      database.exec('PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216;');
      return callsOf(database, readOnly);
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  });
}

const eventColumns =
  'digest, recorded, id, source, type, time, at, kind, namespace, name, extensions, data, shortened, size, uid, version, owner, spec_hash, status_hash';
const valuesOf = (columns: string): string => columns.replace(/\w+/g, ':$&');
const linkedColumns = `${eventColumns}, previous, hash`;
const statements = {
  // Not ON CONFLICT: that uses up a number before it sees that there is nothing to insert. No other connection writes meanwhile.
  events: `INSERT INTO events (${linkedColumns}) SELECT ${valuesOf(linkedColumns)}
    WHERE NOT EXISTS (SELECT 1 FROM events WHERE digest = :digest)`,
  dead_letters: `INSERT INTO dead_letters (${eventColumns}, destination, status, said, times, last, state)
    VALUES (${valuesOf(eventColumns)}, :destination, :status, :said, 1, :recorded, 'open')`,
  again: `UPDATE dead_letters SET times = times + 1, last = :recorded, at = :at, status = :status, said = :said,
    state = 'open', note = NULL WHERE digest = :digest`,
  deliveries: `INSERT OR IGNORE INTO deliveries (${deliveryColumns.join(', ')}) VALUES (${valuesOf(deliveryColumns.join(', '))})`,
  writes: 'INSERT INTO writes (uid, version, verb, delivery) VALUES (?, ?, ?, ?)',
  head: 'SELECT hash FROM chain',
  extend: 'UPDATE chain SET hash = ?',
  mark: 'UPDATE dead_letters SET state = ?, note = ? WHERE seq = ? AND times = ?',
  noteGap: 'INSERT INTO gaps (began, ended, events, reason) VALUES (?, ?, ?, ?)',
  life: 'SELECT at, is_end FROM life',
  sign: 'INSERT INTO life VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, is_end = excluded.is_end',
} as const;

function callsOf(database: DatabaseSync, readOnly: boolean): SqliteFile {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    // One row is used with several statements, some of which need less of it.
    statement.setAllowUnknownNamedParameters(true);
    prepared.set(sql, statement);
    return statement;
  };
  const noteGap = ({ from, to, events = 0, reason }: Gap) =>
    void prepare(statements.noteGap).run(from, to, events, reason);
  const append = (row: EventRow): boolean => {
    const next = linked(row, String(prepare(statements.head).get()?.['hash']));
    if (prepare(statements.events).run({ ...next }).changes === 0) return false;
    prepare(statements.extend).run(next.hash);
    return true;
  };
  return {
    write: (writings) =>
      inTransaction(database, () =>
        writings.map(({ to, row }) => {
          const run = (name: 'dead_letters' | 'again') => prepare(statements[name]).run({ ...row }).changes === 1;
          return to === 'events' ? append(row) : run('again') || run('dead_letters');
        }),
      ),
    keepDeliveries: (writings) =>
      inTransaction(database, () => {
        const keep = ({ row, written }: DeliveryWriting): number => {
          const { changes, lastInsertRowid: seq } = prepare(statements.deliveries).run({ ...row });
          if (changes === 0) return 0;
          for (const one of written) prepare(statements.writes).run(one.uid, one.resourceVersion, one.do, seq);
          return row.size;
        };
        return writings.reduce((sum, one) => sum + keep(one), 0);
      }),
    read: ({ sql, values }) => saying(() => prepare(sql).all(...values)),
    mark: ({ state, note, seq, times }) =>
      saying(() => Number(prepare(statements.mark).run(state, note, seq, times).changes)),
    noteGap: (gap) => saying(() => noteGap(gap)),
    sign: (sign) =>
      inTransaction(database, () => {
        const row = prepare(statements.life).get();
        const known = row && { at: Number(row['at']), isEnd: row['is_end'] === 1 };
        const gap = gapBefore(sign, known);
        if (gap !== undefined) noteGap(gap);
        const { at, isEnd } = lifeAfter(sign, known);
        prepare(statements.sign).run(at, Number(isEnd));
      }),
    shrink: (limits) => inTransaction(database, () => shrinkSqlite(database, limits), vacuum),
    close: () => {
      if (!readOnly) database.exec('PRAGMA optimize');
      database.close();
    },
  };
}

const vacuum = 'PRAGMA incremental_vacuum(2000)';

function inTransaction<Result>(database: DatabaseSync, work: () => Result, after?: string): Result {
  return saying(() => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      if (after !== undefined) database.exec(after);
      return result;
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw thrown;
    }
  });
}

/** Codes that mean a fault of one row and not of the store: SQLITE_TOOBIG, CONSTRAINT, MISMATCH, MISUSE, RANGE and ERROR. */
const ofTheRow = new Set([1, 18, 19, 20, 21, 25]);

function saying<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof KnudgeError) throw thrown;
    const { errcode = 0, message } = thrown as Error & { readonly errcode?: number };
    const code = ofTheRow.has(errcode & 0xff) ? 'internal' : 'unavailable';
    throw new KnudgeError(code, `the file of the event log: ${message}`, { cause: thrown });
  }
}
