import type { PoolClient } from 'pg';
import { type EventRow, linked } from './row.ts';

/** The columns of an event and their types. */
export const columns = {
  digest: 'text',
  recorded: 'text',
  id: 'text',
  source: 'text',
  type: 'text',
  time: 'text',
  at: 'bigint',
  kind: 'text',
  namespace: 'text',
  name: 'text',
  extensions: 'text',
  data: 'text',
  shortened: 'integer',
  size: 'integer',
  uid: 'text',
  version: 'text',
  owner: 'text',
  spec_hash: 'text',
  status_hash: 'text',
} as const satisfies Record<keyof EventRow, string>;

const all = { ...columns, previous: 'text', hash: 'text' } as const;
const names = Object.keys(all) as (keyof typeof all)[];
const arrays = names.map((name, index) => `$${index + 1}::${all[name]}[]`).join(', ');
const insert = `INSERT INTO knudge_events (${names.join(', ')}) SELECT * FROM unnest(${arrays})`;

/** Locks the end of the chain: writers that append or remove events do it one after the other, until the transaction ends. */
export const lockChain = 'SELECT hash FROM knudge_chain FOR UPDATE';

/** Appends the events that are not there yet in one statement; returns the digests of the new ones. */
export async function appendEvents(client: PoolClient, rows: readonly EventRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const head = await client.query<{ hash: string }>(lockChain);
  const known = 'SELECT digest FROM knudge_events WHERE digest = ANY($1)';
  const found = await client.query<{ digest: string }>(known, [rows.map(({ digest }) => digest)]);
  const there = new Set(found.rows.map(({ digest }) => digest));
  let hash = head.rows[0]?.hash ?? '';
  const fresh = rows
    .filter(({ digest }) => !there.has(digest))
    .map((row) => {
      const next = linked(row, hash);
      hash = next.hash;
      return next;
    });
  if (fresh.length === 0) return new Set();
  await client.query({
    name: 'insert-events',
    text: insert,
    values: names.map((name) => fresh.map((row) => row[name])),
  });
  await client.query('UPDATE knudge_chain SET hash = $1', [hash]);
  return new Set(fresh.map(({ digest }) => digest));
}
