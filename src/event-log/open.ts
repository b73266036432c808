import type { EventLog } from '../domain/event-log.ts';

/** Where the log is: a PostgreSQL database where one is named, else a SQLite file. */
export interface LogPlace {
  readonly databaseUrl: string;
  readonly file: string;
}

/** Opens the log; rejects with `invalid-request` where a newer Knudge wrote it. Only the store that is used is loaded. */
export async function openEventLog({ databaseUrl, file }: LogPlace): Promise<EventLog> {
  if (databaseUrl !== '') {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(databaseUrl);
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(file);
}
