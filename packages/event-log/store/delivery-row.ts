import type { Delivered, Delivery, DeliveryFilter, Written } from '../../controller/domain/delivery.ts';
import type { PageRequest } from '../../controller/domain/event-log.ts';
import { millisecondsOf, type Query } from './query.ts';
import type { Stored } from './row.ts';
import { digestOf } from './row.ts';

/** A delivery as both stores keep it, under the names of their columns. */
export interface DeliveryRow {
  /** The same for the same try, so that a report that comes twice is kept once. */
  readonly digest: string;
  /** The digest of the event. */
  readonly event: string;
  readonly id: string;
  readonly source: string;
  readonly recorded: string;
  readonly began: string;
  /** `began` in milliseconds since 1970. */
  readonly at: number;
  readonly function: string;
  readonly attempt: number | null;
  readonly ms: number;
  readonly cold_ms: number | null;
  readonly status: number;
  readonly outcome: string;
  readonly reads: number;
  readonly writes: number;
  readonly in_vain: number | null;
  /** JSON. */
  readonly parents: string;
  readonly written: string;
  readonly unlisted: number | null;
  readonly trace_id: string | null;
  readonly instance: string | null;
  /** About how many bytes the row takes. */
  readonly size: number;
}

/** A row with the objects that were written, by which it is found. */
export interface DeliveryWriting {
  readonly row: DeliveryRow;
  readonly written: readonly Written[];
}

/** The names of the columns in their order. */
export const deliveryColumns = [
  ...['digest', 'event', 'id', 'source', 'recorded', 'began', 'at', 'function', 'attempt', 'ms', 'cold_ms'],
  ...[
    'status',
    'outcome',
    'reads',
    'writes',
    'parents',
    'written',
    'unlisted',
    'trace_id',
    'instance',
    'size',
    'in_vain',
  ],
] as readonly (keyof DeliveryRow)[];

/** About how many bytes a row takes besides its texts, and each write in its table and indexes. */
const overhead = 350;
const ofWrite = 150;

/** The row of a delivery that is kept at this time, in milliseconds since 1970. */
export function toDeliveryRow(delivered: Delivered, now: number): DeliveryWriting {
  const { event, at, attempt = null, coldMs = null, unlisted = null, traceId = null, instance = null } = delivered;
  const { inVain = null } = delivered;
  const { ms, status, outcome, reads, writes, written } = delivered;
  const texts = { parents: JSON.stringify(delivered.parents), written: JSON.stringify(written) };
  const try_ = [delivered.function, at, String(attempt), instance ?? ''];
  const own = [event.id, event.source, ...Object.values(texts), ...try_, outcome, traceId ?? ''];
  // A write also stands in its table, and its uid and version in the index of that.
  const ofWrites = written.flatMap((one) => [one.do, one.uid, one.uid, one.resourceVersion, one.resourceVersion]);
  const bytes = Buffer.byteLength([...own, ...ofWrites].join(''));
  return {
    row: {
      digest: digestOf(event.source, event.id, ...try_),
      event: digestOf(event.source, event.id),
      id: event.id,
      source: event.source,
      recorded: new Date(now).toISOString(),
      began: at,
      at: Date.parse(at) || now,
      function: delivered.function,
      attempt,
      ms,
      cold_ms: coldMs,
      status,
      outcome,
      reads,
      writes,
      ...texts,
      in_vain: inVain,
      unlisted,
      trace_id: traceId,
      instance,
      size: overhead + bytes + ofWrite * written.length,
    },
    written,
  };
}

export function toDelivery(row: Stored): Delivery {
  const number = (column: string, name = column) => (row[column] === null ? {} : { [name]: Number(row[column]) });
  const text = (column: string, name: string) => (row[column] === null ? {} : { [name]: String(row[column]) });
  const event = { id: String(row['id']), source: String(row['source']) };
  return {
    seq: Number(row['seq']),
    event: { ...event, ...number('event_seq', 'seq') },
    function: String(row['function']),
    ...number('attempt'),
    at: String(row['began']),
    ms: Number(row['ms']),
    ...number('cold_ms', 'coldMs'),
    status: Number(row['status']),
    outcome: String(row['outcome']),
    reads: Number(row['reads']),
    writes: Number(row['writes']),
    ...number('in_vain', 'inVain'),
    parents: JSON.parse(String(row['parents'])) as string[],
    written: JSON.parse(String(row['written'])) as Written[],
    ...number('unlisted'),
    ...text('trace_id', 'traceId'),
    ...text('instance', 'instance'),
  };
}

/** Selects deliveries, with the place of the event of each. Throws `invalid-request` for a time that is not valid. */
export function selectDeliveries(filter: DeliveryFilter, { order, limit }: PageRequest): Query {
  const { uid, version, do: verb } = filter;
  const conditions: [sql: string, value: string | number | undefined][] = [
    ['event = (SELECT digest FROM events WHERE seq = ?)', filter.event],
    ['function = ?', filter.function],
    ['outcome = ?', filter.outcome],
    ['at >= ?', filter.since === undefined ? undefined : millisecondsOf(filter.since)],
    ['at < ?', filter.until === undefined ? undefined : millisecondsOf(filter.until)],
    ['seq > ?', filter.after],
    ['seq < ?', filter.before],
  ];
  const wanted = conditions.filter((one): one is [string, string | number] => one[1] !== undefined);
  const written = Object.entries({ uid, version, verb }).filter((one): one is [string, string] => one[1] !== undefined);
  const among = written.map(([column]) => `${column} = ?`).join(' AND ');
  const all = [
    ...wanted.map(([sql]) => sql),
    ...(among === '' ? [] : [`seq IN (SELECT delivery FROM writes WHERE ${among})`]),
  ];
  const where = all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
  const columns = '*, (SELECT e.seq FROM events e WHERE e.digest = d.event) AS event_seq';
  return {
    sql: `SELECT ${columns} FROM deliveries d${where} ORDER BY seq ${order === 'newest-first' ? 'DESC' : 'ASC'} LIMIT ?`,
    values: [...wanted.map(([, value]) => value), ...written.map(([, value]) => value), limit],
  };
}
