import type { PoolClient } from 'pg';
import type { Gap, Sign } from '../../controller/domain/event-log.ts';
import { gapBefore, lifeAfter } from './unattended.ts';

/** Writes a gap. */
export async function noteGap(client: PoolClient, { from, to, events = 0, reason }: Gap): Promise<void> {
  const text = 'INSERT INTO knudge_gaps (began, ended, events, reason) VALUES ($1, $2, $3, $4)';
  await client.query(text, [from, to, events, reason]);
}

/** Keeps a sign of life, of any of several writers, and the gap before it; the table is locked, also when it is empty. */
export async function signPostgres(client: PoolClient, sign: Sign): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('LOCK TABLE knudge_life IN SHARE ROW EXCLUSIVE MODE');
    const { rows } = await client.query<{ at: string; is_end: boolean }>('SELECT at, is_end FROM knudge_life');
    const [row] = rows;
    const known = row && { at: Number(row.at), isEnd: row.is_end };
    const gap = gapBefore(sign, known);
    if (gap !== undefined) await noteGap(client, gap);
    const { at, isEnd } = lifeAfter(sign, known);
    const text = `INSERT INTO knudge_life VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE SET at = excluded.at, is_end = excluded.is_end`;
    await client.query(text, [at, isEnd]);
    await client.query('COMMIT');
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
}
