import type { PoolClient } from 'pg';
import { type DeliveryWriting, deliveryColumns } from './delivery-row.ts';

const places = deliveryColumns.map((_, index) => `$${index + 1}`).join(', ');
const insert = `INSERT INTO knudge_deliveries (${deliveryColumns.join(', ')}) VALUES (${places})
  ON CONFLICT (digest) DO NOTHING RETURNING seq`;
const insertWrites = `INSERT INTO knudge_writes (uid, version, verb, delivery)
  SELECT uid, version, verb, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS one (uid, version, verb)`;

/** An arbitrary number that no other program locks. */
const lock = 1_802_072_677;

/** Keeps the deliveries that are new, all or nothing; returns how many bytes they take. */
export async function keepDeliveries(client: PoolClient, writings: readonly DeliveryWriting[]): Promise<number> {
  await client.query('BEGIN');
  try {
    let bytes = 0;
    // Each insert also counts in knudge_delivered: two processes at once would lock its rows in different orders.
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    for (const writing of writings) bytes += await keepOne(client, writing);
    await client.query('COMMIT');
    return bytes;
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
}

async function keepOne(client: PoolClient, { row, written }: DeliveryWriting): Promise<number> {
  const values = deliveryColumns.map((name) => row[name]);
  const { rows } = await client.query<{ seq: string }>({ name: 'insert-delivery', text: insert, values });
  const [kept] = rows;
  if (kept === undefined) return 0;
  if (written.length > 0) {
    const columns = [
      written.map(({ uid }) => uid),
      written.map((one) => one.resourceVersion),
      written.map((one) => one.do),
    ];
    await client.query({ name: 'insert-writes', text: insertWrites, values: [...columns, kept.seq] });
  }
  return row.size;
}
