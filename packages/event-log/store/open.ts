import type { EventLog } from '../../controller/domain/event-log.ts';

/** Where the log is: a PostgreSQL database if one is named, else a SQLite file. */
export interface LogPlace {
  /** `postgres://user@host/database`; empty: the file. */
  readonly databaseUrl: string;
  /** A path; the file is made where it is missing. */
  readonly file: string;
}

/**
 * Opens the log, and makes it if it is missing; rejects with a KnudgeError `invalid-request` if a newer Knudge wrote it. Only the
 * store that is used is loaded. `onWritten` is called after each write with the number of bytes that the rows take.
 */
export async function openEventLog(
  { databaseUrl, file }: LogPlace,
  onWritten?: (bytes: number) => void,
): Promise<EventLog> {
  if (databaseUrl !== '') {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(databaseUrl, Date.now, onWritten);
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(file, Date.now, onWritten);
}
