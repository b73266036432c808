import { Client } from 'pg';
import { type Postgres, startPostgres } from '../../../../tools/postgres/start.ts';

/** The server of a test: the folder of its programs is what tools/test/run.ts has found. */
export async function testServer(): Promise<Postgres> {
  const bin = process.env['KNUDGE_TEST_POSTGRES'];
  if (bin === undefined) throw new Error('run npm run test:postgres: it says where PostgreSQL is');
  return startPostgres(bin);
}

/** Runs statements in a database of a server. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

let databases = 0;

/** The address of a database that is new. */
export async function newDatabase({ url }: Postgres): Promise<string> {
  databases += 1;
  const name = `log_${databases}`;
  await execute(url, `CREATE DATABASE ${name}`);
  return url.replace(/postgres$/, name);
}
