import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetterState, EventSearch, PageRequest } from '../../controller/domain/event-log.ts';

/** A statement with `?` for each value, and the values in their order. */
export interface Query {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type Filter = EventSearch & { readonly state?: DeadLetterState };

/** Selects the rows of a filter, their order and their number. Throws `invalid-request` for a time that is not valid. */
export function select(table: string, filter: Filter, page: PageRequest): Query {
  const { where, values } = whereOf(filter);
  const order = page.order === 'newest-first' ? 'DESC' : 'ASC';
  // The places are sorted first, without whole rows: the rows may come from another index and need a sort.
  const places = `SELECT seq FROM ${table} one${where} ORDER BY seq ${order} LIMIT ?`;
  return {
    sql: `SELECT * FROM ${table} WHERE seq IN (${places}) ORDER BY seq ${order}`,
    values: [...values, page.limit],
  };
}

/** Counts the rows of a filter, as `count`. Throws `invalid-request` for a time that is not valid. */
export function count(table: string, filter: Filter): Query {
  const { where, values } = whereOf(filter);
  return { sql: `SELECT count(*) AS count FROM ${table} one${where}`, values };
}

/** Milliseconds: beyond the range of Date in both directions. */
const endOfTime = 8_640_000_000_000_001;

function whereOf(filter: Filter): { readonly where: string; readonly values: Query['values'] } {
  const conditions = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [conditionOf(field as keyof Filter, value)],
  );
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return { where, values: conditions.flatMap(({ value }) => value ?? []) };
}

function conditionOf(
  field: keyof Filter,
  value: string | number,
): { readonly sql: string; readonly value: string | number | undefined } {
  switch (field) {
    // Both bounds of the time: with only one, SQLite prefers reading the whole table to using the index.
    case 'since':
      return { sql: `at >= ? AND at < ${endOfTime}`, value: millisecondsOf(value) };
    case 'until':
      return { sql: `at >= ${-endOfTime} AND at < ?`, value: millisecondsOf(value) };
    case 'after':
      return { sql: 'seq > ?', value };
    case 'before':
      return { sql: 'seq < ?', value };
    case 'q':
      return {
        sql: textSql,
        value: `%${String(value)
          .toLowerCase()
          .replace(/[\\%_]/g, '\\$&')}%`,
      };
    case 'changed':
      return { sql: changedSql(value === 'spec' ? 'spec_hash' : 'status_hash'), value: undefined };
    case 'uid':
    case 'version':
    case 'owner':
    case 'type':
    case 'kind':
    case 'namespace':
    case 'name':
    case 'id':
    case 'state':
      return { sql: `${field} = ?`, value };
  }
}

/** NULL makes a whole sum NULL. */
const textSql = `lower(type || ' ' || coalesce(kind, '') || ' ' || coalesce(namespace, '') || '/' || coalesce(name, '') || ' ' || id)
  LIKE ? ESCAPE '\\'`;

/** The event before it is the one about the same object that came before. An object without a namespace has an index too, for `IS NULL`. */
function changedSql(column: 'spec_hash' | 'status_hash'): string {
  const former = (where: string): string => `(SELECT former.${column} FROM events former WHERE former.kind = one.kind
    AND ${where} AND former.name = one.name AND former.seq < one.seq ORDER BY former.seq DESC LIMIT 1)`;
  return `${column} IS NOT NULL AND ${column} IS DISTINCT FROM (CASE WHEN one.namespace IS NULL
    THEN ${former('former.namespace IS NULL')} ELSE ${former('former.namespace = one.namespace')} END)`;
}

/** Milliseconds since 1970 of a time. Throws `invalid-request` if it is not valid. */
export function millisecondsOf(time: string | number): number {
  const ms = Date.parse(String(time));
  if (Number.isNaN(ms)) {
    throw new KnudgeError('invalid-request', `${JSON.stringify(time)} is not a time such as 2026-01-02T03:04:05Z`);
  }
  return ms;
}
