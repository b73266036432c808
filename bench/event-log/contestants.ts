import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Received } from '../../packages/controller/domain/change.ts';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { openEventLog } from '../../packages/event-log/store/open.ts';
import { postgresFolder, startPostgres } from '../../tools/postgres/start.ts';
import { lineOf } from './events.ts';

/** A store of events. */
export interface Contestant {
  readonly name: string;
  append(event: Received): Promise<unknown>;
  /** Bytes on the disk. */
  size(): Promise<number>;
  readonly log?: EventLog;
  close(): Promise<void>;
}

/** A plain file: what arrives during one sync is written and synced together. */
export async function plainFile(): Promise<Contestant> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-bench-'));
  const file = await open(join(dir, 'events.ndjson'), 'a');
  let waiting: { readonly line: Buffer; readonly done: () => void }[] = [];
  let isWriting = false;
  const work = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await file.appendFile(Buffer.concat(batch.map(({ line }) => line)));
      await file.datasync();
      for (const { done } of batch) done();
    }
    isWriting = false;
  };
  return {
    name: 'a file and fdatasync',
    append: (event) =>
      new Promise<void>((done) => {
        waiting.push({ line: lineOf(event), done });
        if (!isWriting) void work();
      }),
    size: async () => statSync(join(dir, 'events.ndjson')).size,
    close: async () => {
      await file.close();
      rmSync(dir, { recursive: true });
    },
  };
}

export async function sqlite(): Promise<Contestant> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-bench-'));
  const file = join(dir, 'events.db');
  const log = await openEventLog({ databaseUrl: '', file });
  return {
    name: 'SQLite',
    log,
    append: log.append,
    // The write-ahead log has a fixed bound and holds no more events.
    size: async () => statSync(file).size,
    close: async () => {
      await log.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** On a server that is started for it; undefined if no server is installed. */
export async function postgres(): Promise<Contestant | undefined> {
  const bin = postgresFolder();
  if (bin === undefined) return undefined;
  const server = await startPostgres(bin);
  const log = await openEventLog({ databaseUrl: server.url, file: '' });
  return {
    name: 'PostgreSQL',
    log,
    append: log.append,
    size: async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ size: string }>(`SELECT pg_total_relation_size('knudge_events') AS size`);
      await client.end();
      return Number(rows[0]?.size);
    },
    close: async () => {
      await log.close();
      await server.stop();
    },
  };
}
