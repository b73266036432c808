import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetterState, EventFilter, PageRequest } from '../../controller/domain/event-log.ts';

/** A statement with `?` for each value, and the values in their order. */
export interface Query {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type Filter = EventFilter & { readonly state?: DeadLetterState };

/** Which rows a filter means, in which order, and how many. Throws `invalid-request` where a time is none. */
export function select(table: string, filter: Filter, page: PageRequest): Query {
  const { where, values } = whereOf(filter);
  const order = page.order === 'newest-first' ? 'DESC' : 'ASC';
  // The places first: what is sorted by them, where another index was used to find them, is then no whole row.
  const places = `SELECT seq FROM ${table}${where} ORDER BY seq ${order} LIMIT ?`;
  return {
    sql: `SELECT * FROM ${table} WHERE seq IN (${places}) ORDER BY seq ${order}`,
    values: [...values, page.limit],
  };
}

/** How many rows a filter means, as `count`. Throws `invalid-request` where a time is none. */
export function count(table: string, filter: Filter): Query {
  const { where, values } = whereOf(filter);
  return { sql: `SELECT count(*) AS count FROM ${table}${where}`, values };
}

/** Milliseconds; no Date is as late, or as far back. */
const endOfTime = 8_640_000_000_000_001;

function whereOf(filter: Filter): { readonly where: string; readonly values: Query['values'] } {
  const conditions = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [conditionOf(field as keyof Filter, value)],
  );
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return { where, values: conditions.map(({ value }) => value) };
}

function conditionOf(field: keyof Filter, value: string | number) {
  switch (field) {
    // Both ends of a time: with one, SQLite thinks that the whole table is read sooner than the index.
    case 'since':
      return { sql: `at >= ? AND at < ${endOfTime}`, value: millisecondsOf(value) };
    case 'until':
      return { sql: `at >= ${-endOfTime} AND at < ?`, value: millisecondsOf(value) };
    case 'after':
      return { sql: 'seq > ?', value };
    case 'before':
      return { sql: 'seq < ?', value };
    case 'type':
    case 'kind':
    case 'namespace':
    case 'name':
    case 'id':
    case 'state':
      return { sql: `${field} = ?`, value };
  }
}

function millisecondsOf(time: string | number): number {
  const ms = Date.parse(String(time));
  if (Number.isNaN(ms)) {
    throw new KnudgeError('invalid-request', `${JSON.stringify(time)} is no time such as 2026-01-02T03:04:05Z`);
  }
  return ms;
}
