import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import { openPostgres } from '../../store/postgres.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { newDatabase, testServer } from './server.ts';

/** The suite `postgres` says where the programs of its server are. */
const isPostgres = process.env['KNUDGE_TEST_POSTGRES'] !== undefined;
const server = isPostgres ? await testServer() : undefined;
const dir = mkdtempSync(join(tmpdir(), 'knudge-log-'));
after(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});
let files = 0;

/** The store of `freshLog`. */
export const store = server === undefined ? 'SQLite' : 'PostgreSQL';

/** A log that holds nothing yet: in SQLite, and in the suite `postgres` in PostgreSQL. */
export async function freshLog(now?: () => number, onWritten?: (bytes: number) => void): Promise<EventLog> {
  if (server !== undefined) return openPostgres(await newDatabase(server), now, onWritten);
  files += 1;
  return openSqlite(join(dir, `${files}.db`), now, onWritten);
}
