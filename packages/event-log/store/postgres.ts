import type { Pool, PoolClient } from 'pg';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { EventLog } from '../../controller/domain/event-log.ts';
import { createLog } from './create-log.ts';
import { appendEvents, columns } from './postgres-append.ts';
import { keepDeliveries } from './postgres-deliveries.ts';
import { noteGap, signPostgres } from './postgres-life.ts';
import { migrate } from './postgres-migrations.ts';
import { shrinkPostgres } from './postgres-shrink.ts';
import type { EventRow, LetterRow } from './row.ts';
import type { Store, Writing } from './writing.ts';

/**
 * Set here, because none of these is bounded by default: one connection writes, the others read; connecting and appending
 * give up before the Trigger does (packages/event-log/store/bounded.ts), reading after ten seconds.
 */
const limits = {
  max: 4,
  connectionTimeoutMillis: 2000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 10_000,
  query_timeout: 11_000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
} as const;

/**
 * Opens the log in a PostgreSQL database and makes its tables if they are missing. Rejects with `invalid-request` if a newer
 * Knudge made them. A server that cannot be reached now is tried again with each call.
 */
export async function openPostgres(
  url: string,
  now: () => number = Date.now,
  onWritten?: (bytes: number) => void,
): Promise<EventLog> {
  // In an image the client is a file of its own, because few installations need it.
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: url, application_name: 'knudge', ...limits });
  // An idle connection broke: the next call takes another.
  pool.on('error', () => undefined);
  // A connection that breaks during a query also emits this, besides failing the query.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const { withClient, settle } = clientsOf(pool);
  await settle().catch(async (error: KnudgeError) => {
    // What is only late goes on: a process that does not listen soon is started anew, and its migration with it.
    if (error.code !== 'invalid-request') return;
    await pool.end();
    throw error;
  });
  return createLog({ ...storeOf(withClient), close: () => pool.end() }, now, onWritten);
}

/** Milliseconds that a call, or a start, waits for the tables: to bring those of a large log to a newer schema takes minutes. */
const longestWait = 8000;

/** Waits this many milliseconds at most; the work goes on. Rejects with `unavailable` then. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const why = 'the tables of the event log are brought to a newer schema: come again';
  const timer = setTimeout(() => reject(new KnudgeError('unavailable', why)), ms);
  // Of a failure after that the next call hears.
  work.catch(() => undefined);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

type WithClient = <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>;

function clientsOf(pool: Pool): { readonly withClient: WithClient; readonly settle: () => Promise<void> } {
  let isSettled = false;
  let settling: Promise<void> | undefined;
  const lend: WithClient = async (work) => {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect();
      const result = await work(client);
      client.release();
      return result;
    } catch (thrown) {
      const error = sayingWhy(thrown);
      // After a time-out the server may still be working: such a connection is not used again.
      client?.release(error.retry === 'later');
      throw error;
    }
  };
  const settle = async (): Promise<void> => {
    if (isSettled) return;
    settling ??= lend(migrate)
      .then(() => {
        isSettled = true;
      })
      .finally(() => {
        settling = undefined;
      });
    await within(settling, longestWait);
  };
  const withClient: WithClient = async (work) => {
    await settle();
    return lend(work);
  };
  return { withClient, settle };
}

function storeOf(withClient: WithClient): Omit<Store, 'close'> {
  return {
    write: (writings) => withClient((client) => write(client, writings)),
    read: ({ sql, values }) =>
      withClient(async (client) => {
        const { rows } = await client.query({ text: withNumbers(sql), values: [...values] });
        return rows as readonly Readonly<Record<string, unknown>>[];
      }),
    keepDeliveries: (writings) => withClient((client) => keepDeliveries(client, writings)),
    mark: ({ state, note, seq, times }) =>
      withClient(async (client) => {
        const text = 'UPDATE knudge_dead_letters SET state = $1, note = $2 WHERE seq = $3 AND times = $4';
        return (await client.query(text, [state, note, seq, times])).rowCount ?? 0;
      }),
    noteGap: (gap) => withClient((client) => noteGap(client, gap)),
    sign: (given) => withClient((client) => signPostgres(client, given)),
    shrink: (given) => withClient((client) => shrinkPostgres(client, given)),
  };
}

/** A statement that was made for both stores, with PostgreSQL's numbered parameters. */
function withNumbers(sql: string): string {
  let count = 0;
  return sql.replace(/ FROM (\w+)/g, ' FROM knudge_$1').replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}

async function write(client: PoolClient, writings: readonly Writing[]): Promise<readonly boolean[]> {
  const events = writings.flatMap(({ to, row }) => (to === 'events' ? [row] : []));
  const firsts = new Map(events.toReversed().map((row) => [row.digest, row]));
  const letters = writings.flatMap(({ to, row }) => (to === 'dead_letters' ? [row as LetterRow] : []));
  await client.query('BEGIN');
  try {
    const first = events.filter((row) => firsts.get(row.digest) === row);
    const fresh = await appendEvents(client, first);
    for (const letter of letters) await insertLetter(client, letter);
    // Overrides the default of the database: an acknowledged write must be durable.
    await client.query('SET LOCAL synchronous_commit = on');
    await client.query('COMMIT');
    return writings.map(({ to, row }) => to === 'dead_letters' || fresh.delete(row.digest));
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
}

const names = Object.keys(columns) as (keyof EventRow)[];
const letterNames = [...names, 'destination', 'status', 'said'] as const;
const places = letterNames.map((_, index) => `$${index + 1}`).join(', ');
const insertOne = `INSERT INTO knudge_dead_letters AS letter (${letterNames.join(', ')}, times, last, state)
  VALUES (${places}, 1, $2, 'open') ON CONFLICT (digest) DO UPDATE SET times = letter.times + 1, last = excluded.last,
  at = excluded.at, status = excluded.status, said = excluded.said, state = 'open', note = NULL`;
const again = `UPDATE knudge_dead_letters SET times = times + 1, last = $2, at = $3, status = $4, said = $5, state = 'open',
  note = NULL WHERE digest = $1`;

async function insertLetter(client: PoolClient, row: LetterRow): Promise<void> {
  const values = [row.digest, row.recorded, row.at, row.status, row.said];
  if ((await client.query({ name: 'letter-again', text: again, values })).rowCount === 1) return;
  await client.query({ name: 'insert-letter', text: insertOne, values: letterNames.map((name) => row[name]) });
}

/** Classes of SQLSTATE that are about a value: data exception, constraint, syntax and a limit of the program. */
const ofTheRow = /^(22|23|42|54)/;

function sayingWhy(thrown: unknown): KnudgeError {
  if (thrown instanceof KnudgeError) return thrown;
  const { code = '', message } = thrown as Error & { readonly code?: string };
  const isRow = ofTheRow.test(code);
  return new KnudgeError(isRow ? 'internal' : 'unavailable', `PostgreSQL: ${message || code}`, { cause: thrown });
}
