import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** A write of a source to its file. `open` and `own` are those of its start; `begin` and `commit` the ends of a transaction. */
export type Write = 'open' | 'own' | 'begin' | 'commit';

/** Does the write, or throws instead, or does other things before and after. */
export type OnWrite = (write: Write, database: DatabaseSync, perform: () => unknown) => void;

const { exec, prepare, close } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;
const writes: Readonly<Record<string, Write>> = { 'BEGIN IMMEDIATE': 'begin', COMMIT: 'commit' };

/** Takes over what is written to files of SQLite; gives back how to end that. */
export function takeOverDisk(on: OnWrite): () => void {
  const databases = new WeakMap<StatementSync, DatabaseSync>();
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    const perform = () => exec.call(this, sql);
    if (sql === 'ROLLBACK') perform();
    else on(writes[sql] ?? 'open', this, perform);
  };
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
    const statement = prepare.apply(this, given);
    databases.set(statement, this);
    return statement;
  };
  StatementSync.prototype.run = function (this: StatementSync, ...given: readonly unknown[]) {
    const database = databases.get(this);
    const perform = () => Reflect.apply(run, this, given) as ReturnType<typeof run>;
    if (database === undefined || database.isTransaction) return perform();
    on('own', database, perform);
    return { changes: 1, lastInsertRowid: 0 };
  };
  // What a process does after it was killed is done by nobody.
  DatabaseSync.prototype.close = function (this: DatabaseSync) {
    if (this.isOpen) close.call(this);
  };
  return () => {
    Object.assign(DatabaseSync.prototype, { exec, prepare, close });
    StatementSync.prototype.run = run;
  };
}

/** Copies what is on the disk of a database: what `kill -9` leaves of it, with a transaction that was not committed lost. */
export function copyAsLeft(from: string, to: string): void {
  for (const rest of ['', '-wal']) if (existsSync(`${from}${rest}`)) copyFileSync(`${from}${rest}`, `${to}${rest}`);
}
