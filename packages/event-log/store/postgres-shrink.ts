import type { PoolClient } from 'pg';
import { stretchesOf } from './chain.ts';
import { lockChain } from './postgres-append.ts';
import { linksOf, type Stored, toStretch } from './row.ts';
import { excessOf, type Held } from './share.ts';
import { type Gone, type Limits, retainedAtOnce } from './writing.ts';

/**
 * Removes a number of rows that are too old or too many; returns how many. The size counted is that of
 * the rows: the tables themselves only shrink when PostgreSQL vacuums them.
 */
export async function shrinkPostgres(client: PoolClient, limits: Limits): Promise<Gone> {
  await client.query('BEGIN');
  try {
    await client.query(lockChain);
    const gone = await shrink(client, limits);
    await client.query('COMMIT');
    return gone;
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
}

async function shrink(client: PoolClient, { before, bytes }: Limits): Promise<Gone> {
  const run = async (sql: string, ...values: (string | number)[]): Promise<number> =>
    (await client.query(sql, values)).rowCount ?? 0;
  const runEvents = async (sql: string, ...values: (string | number)[]): Promise<number> => {
    const { rows } = await client.query<Stored>(`${sql} RETURNING seq, previous, hash`, values);
    await letGo(client, rows);
    return rows.length;
  };
  const aged = {
    events: await runEvents(old('knudge_events'), before),
    letters: await run(old('knudge_dead_letters'), before),
    deliveries: await run(old('knudge_deliveries'), before),
  };
  if (aged.events + aged.letters + aged.deliveries > 0) return aged;
  const [events, letters] = [await sumOf(client, 'bytes', 'senders'), await sumOf(client, 'size', 'dead_letters')];
  const deliveries = await sumOf(client, 'size', 'deliveries');
  const excess = excessOf({ room: bytes, letters, deliveries, events, largest: await largest(client) });
  switch (excess?.kind) {
    case undefined:
      return aged;
    case 'dead-letters':
      return { ...aged, letters: await run(manyLetters, excess.bytes) };
    case 'deliveries':
      return { ...aged, deliveries: await run(manyDeliveries, excess.bytes) };
    case 'events': {
      const { source, namespace } = excess.sender;
      return { ...aged, events: await runEvents(manyEvents, source, namespace, excess.bytes) };
    }
  }
}

/** Removes events from the chain, which continues over them: a few stretches stand for all of them. */
async function letGo(client: PoolClient, gone: readonly Stored[]): Promise<void> {
  const links = linksOf(gone);
  if (links.length === 0) return;
  const beside = 'DELETE FROM knudge_let_go WHERE hash = ANY($1) OR previous = ANY($2) RETURNING *';
  const hashes = [links.map(({ previous }) => previous), links.map(({ hash }) => hash)];
  const found = await client.query<Stored>(beside, hashes);
  for (const { first, last, events, previous, hash } of stretchesOf(links, found.rows.map(toStretch))) {
    const insert = { name: 'let-go', text: 'INSERT INTO knudge_let_go VALUES ($1, $2, $3, $4, $5)' };
    await client.query({ ...insert, values: [first, last, events, previous, hash] });
  }
  await client.query('UPDATE knudge_chain SET gone = gone + $1', [links.length]);
}

function old(table: string): string {
  return `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (SELECT seq, recorded FROM ${table} ORDER BY seq
    LIMIT ${retainedAtOnce}) AS oldest WHERE recorded < $1)`;
}

const manyEvents = `DELETE FROM knudge_events WHERE seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq) - size
  AS before FROM (SELECT seq, size FROM knudge_events WHERE source = $1 AND coalesce(namespace, '') = $2 ORDER BY seq
  LIMIT ${retainedAtOnce}) AS oldest) AS sums WHERE before < $3)`;

const manyDeliveries = `DELETE FROM knudge_deliveries WHERE seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq) - size
  AS before FROM (SELECT seq, size FROM knudge_deliveries ORDER BY seq LIMIT ${retainedAtOnce}) AS oldest) AS sums WHERE before < $1)`;

/** The dead letters of the sender with most bytes; those that are not open go first. */
const manyLetters = `DELETE FROM knudge_dead_letters WHERE seq IN (SELECT seq FROM (SELECT seq,
  sum(size) OVER (ORDER BY state = 'open', seq) - size AS before FROM (SELECT seq, size, state FROM knudge_dead_letters
  WHERE (source, coalesce(namespace, '')) = (SELECT source, coalesce(namespace, '') FROM knudge_dead_letters GROUP BY 1, 2
  ORDER BY sum(size) DESC LIMIT 1) ORDER BY state = 'open', seq LIMIT ${retainedAtOnce}) AS oldest) AS sums WHERE before < $1)`;

async function largest(client: PoolClient): Promise<readonly Held[]> {
  const text = 'SELECT source, namespace, bytes FROM knudge_senders ORDER BY bytes DESC LIMIT 2';
  const { rows } = await client.query<{ source: string; namespace: string; bytes: string }>(text);
  return rows.map(({ source, namespace, bytes }) => ({ source, namespace, bytes: Number(bytes) }));
}

async function sumOf(client: PoolClient, column: string, table: string): Promise<number> {
  const text = `SELECT coalesce(sum(${column}), 0) AS sum FROM knudge_${table}`;
  const { rows } = await client.query<{ sum: string }>(text);
  return Number(rows[0]?.sum ?? 0);
}
