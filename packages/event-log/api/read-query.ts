import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetterState, EventSearch, PageRequest } from '../../controller/domain/event-log.ts';
import type { LogRequest } from './request.ts';

export interface ReadQuery {
  readonly filter: EventSearch & { readonly state?: DeadLetterState };
  readonly order: PageRequest['order'];
  readonly limit: number;
  /** Asks for the number of items on all pages. */
  readonly total: boolean;
  readonly format: 'json' | 'ndjson';
}

const usual = 100;
const most = 1000;
const texts = ['since', 'until', 'type', 'kind', 'namespace', 'name', 'id'] as const;
/** Of events only. */
export const searches = ['q', 'changed', 'uid', 'version', 'owner'] as const;
type Other = 'state' | (typeof searches)[number];
const places = ['after', 'before'] as const;
const states: readonly DeadLetterState[] = ['open', 'sent-again', 'discarded'];
const orders: readonly PageRequest['order'][] = ['newest-first', 'oldest-first'];

/** The filter and the page that a query asks for; `others` are parameters that only some lists know. Throws `invalid-request`. */
export function readQuery(query: URLSearchParams, accept: string, others: readonly Other[] = []): ReadQuery {
  const known: readonly string[] = [...texts, ...places, 'order', 'limit', 'total', 'format', ...others];
  onlyKnown(query, known);
  const given = [...texts, ...searches].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
  const at = places.flatMap((name) => {
    const place = numberIn(query, name, { least: 0, most: Number.MAX_SAFE_INTEGER });
    return place === undefined ? [] : [[name, place]];
  });
  oneOf(query, 'changed', ['spec', 'status']);
  const state = oneOf(query, 'state', states);
  return {
    filter: { ...Object.fromEntries(given), ...Object.fromEntries(at), ...(state && { state }) },
    ...readPage(query),
    total: oneOf(query, 'total', ['true', 'false']) === 'true',
    format: formatIn(query, accept),
  };
}

/** Throws `invalid-request` for a parameter that is not one of these, or is given twice. */
export function onlyKnown(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) throw wrong(name, `is not known here: use one of ${known.join(', ')}`);
    if (query.getAll(name).length > 1) throw wrong(name, 'is given more than once');
  }
}

/** How many items, and which first. Throws `invalid-request`. */
export function readPage(query: URLSearchParams): PageRequest {
  const limit = numberIn(query, 'limit', { least: 1, most }) ?? usual;
  return { order: oneOf(query, 'order', orders) ?? 'newest-first', limit };
}

/** What a stream is to send, and after which places it goes on; a place that is absent is the newest. Throws `invalid-request`. */
export function readStream({ query, accept, headers }: Pick<LogRequest, 'query' | 'accept' | 'headers'>): {
  readonly filter: EventSearch;
  readonly places: readonly number[];
} {
  for (const name of ['before', 'order', 'limit', 'total', 'format'])
    if (query.has(name))
      throw wrong(name, 'is not known for a stream: it has no end, and its order is that of the log');
  const { after, ...filter } = readQuery(query, accept).filter;
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return { filter, places: after === undefined ? [] : [after] };
  if (typeof last !== 'string' || !/^\d{1,15}(-\d{1,15}){0,4}$/.test(last)) {
    const advice = 'give the id of an event of this stream, such as 129-7';
    throw new KnudgeError('invalid-request', `the header Last-Event-ID is not a place in the log: ${advice}`);
  }
  return { filter, places: last.split('-').map(Number) };
}

/** The most events with their hashes at once: each may have 64 KiB. */
const mostLinks = 100;

/** From where and how much of the chain a query asks for. Throws `invalid-request`. */
export function readChain(query: URLSearchParams): { readonly after: number; readonly limit: number } {
  const known = ['chain', 'after', 'limit'];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(unknown, `is not known for the chain: use one of ${known.join(', ')}`);
  oneOf(query, 'chain', ['true']);
  const after = numberIn(query, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0;
  return { after, limit: numberIn(query, 'limit', { least: 1, most: mostLinks }) ?? mostLinks };
}

/** A whole number; undefined where it is not given. Throws `invalid-request`. */
export function numberIn(
  query: URLSearchParams,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw wrong(name, `must be a whole number from ${least} to ${most}`);
  return value;
}

function oneOf<Word extends string>(query: URLSearchParams, name: string, words: readonly Word[]): Word | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const found = words.find((word) => word === text);
  if (found === undefined) throw wrong(name, `must be one of ${words.join(', ')}`);
  return found;
}

function formatIn(query: URLSearchParams, accept: string): ReadQuery['format'] {
  const text = query.get('format') ?? (/\bapplication\/(x-)?ndjson\b/.test(accept) ? 'ndjson' : 'json');
  if (text !== 'json' && text !== 'ndjson') throw wrong('format', 'must be json or ndjson');
  return text;
}

function wrong(name: string, why: string): KnudgeError {
  return new KnudgeError('invalid-request', `the parameter ${name.slice(0, 64)} ${why}`);
}
