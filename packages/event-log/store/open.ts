import type { EventLog } from '../../controller/domain/event-log.ts';

/** Where the log is: a PostgreSQL database where one is named, else a SQLite file. */
export interface LogPlace {
  readonly databaseUrl: string;
  readonly file: string;
}

/**
 * Opens the log; rejects with `invalid-request` where a newer Knudge wrote it. Only the store that is used is loaded. `onWritten` is told how
 * many bytes of rows were kept.
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
