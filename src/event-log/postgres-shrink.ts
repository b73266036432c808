import type { PoolClient } from 'pg';
import { type Limits, retainedAtOnce } from './writing.ts';

/**
 * The oldest rows that are too old, or else too many, a number at a time. What counts is what the rows hold: the size of the
 * tables only shrinks when PostgreSQL vacuums them.
 */
export async function shrinkPostgres(client: PoolClient, { before, bytes }: Limits) {
  const run = async (sql: string, value: string | number): Promise<number> =>
    (await client.query(sql, [value])).rowCount ?? 0;
  const aged = {
    events: await run(old('knudge_events'), before),
    letters: await run(old('knudge_dead_letters'), before),
  };
  if (aged.events + aged.letters > 0) return aged;
  const excess = (await usedBytes(client)) - bytes;
  if (excess <= 0) return aged;
  const events = await run(many('knudge_events'), excess);
  return { events, letters: events === 0 ? await run(many('knudge_dead_letters'), excess) : 0 };
}

function old(table: string): string {
  return `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (SELECT seq, recorded FROM ${table} ORDER BY seq
    LIMIT ${retainedAtOnce}) AS oldest WHERE recorded < $1)`;
}

function many(table: string): string {
  return `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq) - size AS before
    FROM (SELECT seq, size FROM ${table} ORDER BY seq LIMIT ${retainedAtOnce}) AS oldest) AS sums WHERE before < $1)`;
}

async function usedBytes(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce((SELECT sum(size) FROM knudge_events), 0) + coalesce((SELECT sum(size) FROM knudge_dead_letters), 0) AS bytes`,
  );
  return Number(rows[0]?.bytes ?? 0);
}
